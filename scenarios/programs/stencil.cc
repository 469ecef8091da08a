// SPDX-License-Identifier: LGPL-2.1-only
// Measures a solver on a mesh of points that is distributed over a Cartesian mesh of processes: Jacobi's method for
// Poisson's equation in two dimensions, a 5-point stencil (W. D. Gropp, "Using Node Information to Implement MPI
// Cartesian Topologies", EuroMPI'18, Section 3.1 and Table 4).
//
//   stencil [--dims 64x64] [--comm world|cart|nodecart] [--method M] [--n POINTS] [--iterations 32]
//
// The unit square has n x n interior points with distance h = 1 / (n + 1), and u = 0 on its edge. Each process has a
// block of rows and columns, with sizes as equal as possible and at least one point. In an iteration, a process
//   1. packs its first and last column (two copies, if there are neighbours), exchanges these and its first and last
//      row with the four neighbouring processes (MPI_Irecv, MPI_Isend, MPI_Waitall), and unpacks;
//   2. computes u' = (u above + u below + u left + u right + h^2 f) / 4 at every point: 5 flop.
// The program packs columns itself instead of using a derived datatype, because SMPI 3.32 does not send all of these
// correctly.
//
// Reports `time` of an iteration until the last process has finished (s); `rate`, 6 n^2 flop divided by that time
// (Gflop/s), because the paper's own program (github.com/minitu/baseenv, mpi-patterns/stencil.c) counts four additions
// and two multiplications; and `computing` and `communicating`, the times of 2 and 1, as means over processes (s). By
// default, arithmetic takes a core the time of its flops at the machine's speed, and the only property of the memory is
// the bandwidth of copies.
//
// If the machine has figures of its memory, arithmetic follows the roofline model with 24 B moved per point: one value
// is read and one written, whose cache line is read first. Nothing moves if both blocks, 16 B per point, stay in the
// core's cache. The paper's own program also has two blocks (github.com/minitu/baseenv, mpi-patterns/stencil.h).
//
// Up to kVerifiedFlops and kVerifiedBytes, the result is compared with the exact result of Jacobi's method. f consists
// of two modes sin(p pi x) sin(q pi y). Each iteration multiplies the error of a mode by (cos(p pi h) + cos(q pi h)) /
// 2, so after k iterations from u = 0, a mode is complete except for the k-th power of this factor. For larger
// problems, halos are buffers with arbitrary data, and the arithmetic is only charged.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "records/exchange/exchanged_words.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/mesh_of_ranks.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/region.h"

namespace {

using strata::programs::Cartesian;

constexpr double kVerifiedFlops = 1e9;    // flop: about a second on a laptop
constexpr double kVerifiedBytes = 256e6;  // B over all ranks: what a laptop can spare for each of several runs
constexpr double kFlopsOfPoint = 5;       // four additions and a multiplication
constexpr double kCountedFlops = 6;       // per point, in the rate
constexpr double kMovedOfPoint = 24;      // B: one value read and one written, whose cache line is read first
constexpr double kHeldOfPoint = 16;       // B: the old and the new value
constexpr double kTolerance = 1e-12;      // for values of about 1, with a rounding error per iteration

// `count` points of a dimension, from `first` on.
struct Range {
  int first, count;
};

Range part_of(int n, int parts, int part) {
  const auto start = [&](long p) { return static_cast<int>(p * n / parts); };
  return {start(part), start(part + 1L) - start(part)};
}

// One mode of the solution and of f.
struct Mode {
  int p, q;
  double angle_x, angle_y;  // p pi h, q pi h

  Mode(int p, int q, int n)
      : p(p), q(q), angle_x(p * std::numbers::pi / (n + 1)), angle_y(q * std::numbers::pi / (n + 1)) {}
  double at(int i, int j) const { return std::sin(angle_x * (i + 1)) * std::sin(angle_y * (j + 1)); }
  // The eigenvalue of the five-point stencil for this mode: 4 - 2 cos - 2 cos, without cancellation.
  double stencil() const { return 4 * (square(std::sin(angle_x / 2)) + square(std::sin(angle_y / 2))); }
  // The fraction of the mode that is complete after `k` iterations.
  double done_after(int k) const { return 1 - std::pow((std::cos(angle_x) + std::cos(angle_y)) / 2, k); }
  static double square(double x) { return x * x; }
};

// A slow mode, and one that is nearly complete after a few iterations; not symmetric in x and y.
std::array<Mode, 2> modes(int n) { return {Mode(1, 2, n), Mode(n / 2 + 1, n / 3 + 1, n)}; }

// A process's block of u with a ring of neighbours' points around it, row by row.
class Block {
 public:
  Block(Range rows, Range columns, int n)
      : rows_(rows), columns_(columns), n_(n), width_(static_cast<std::size_t>(columns.count) + 2) {
    const std::size_t size = (static_cast<std::size_t>(rows.count) + 2) * width_;
    u_.assign(size, 0);
    next_.assign(size, 0);
    source_.assign(size, 0);
    for (int i = 0; i < rows_.count; ++i) {
      for (int j = 0; j < columns_.count; ++j) {
        for (const Mode& m : modes(n)) source_[at(i, j)] += m.stencil() * m.at(rows_.first + i, columns_.first + j);
      }
    }
  }

  double* row(int i) { return &u_[at(i, 0)]; }
  // Column j of the block's rows, to and from `packed`.
  void pack(int j, double* packed) const {
    for (int i = 0; i < rows_.count; ++i) packed[i] = u_[at(i, j)];
  }
  void unpack(int j, const double* packed) {
    for (int i = 0; i < rows_.count; ++i) u_[at(i, j)] = packed[i];
  }

  void iterate() {
    for (int i = 0; i < rows_.count; ++i) {
      for (int j = 0; j < columns_.count; ++j) {
        const std::size_t k = at(i, j);
        next_[k] = 0.25 * (u_[k - width_] + u_[k + width_] + u_[k - 1] + u_[k + 1] + source_[k]);
      }
    }
    std::swap(u_, next_);
  }

  // The number of wrong points after so many iterations.
  double wrong_after(int iterations) const {
    double wrong = 0;
    for (int i = 0; i < rows_.count; ++i) {
      for (int j = 0; j < columns_.count; ++j) {
        double expected = 0;
        for (const Mode& m : modes(n_))
          expected += m.done_after(iterations) * m.at(rows_.first + i, columns_.first + j);
        wrong += std::abs(u_[at(i, j)] - expected) <= kTolerance ? 0 : 1;
      }
    }
    return wrong;
  }

 private:
  // The index of the block's point (i, j). The ring has indexes -1 and the number of rows or columns.
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(i + 1) * width_ + static_cast<std::size_t>(j + 1);
  }

  Range rows_, columns_;
  int n_;
  std::size_t width_;
  std::vector<double> u_, next_, source_;
};

// Sides of a block, in the order of the neighbours in a Cartesian mesh.
enum Side { kAbove, kBelow, kLeft, kRight };
constexpr int kSides = 4;

// Exchanges the block's edges with the neighbouring processes. Without a block, sends `unseen` instead.
class Exchange {
 public:
  Exchange(const Cartesian& mesh, Range rows, Range columns, Block* block)
      : mesh_(mesh), rows_(rows.count), columns_(columns.count), block_(block) {
    for (const Side side : {kLeft, kRight}) {
      if (mesh.partners()[side] != MPI_PROC_NULL) packed_bytes_ += sizeof(double) * rows_;
    }
    if (block == nullptr) {
      const int longest = std::max(rows_, columns_);
      unseen_ =
          static_cast<double*>(strata::mpix::allocate_payload(sizeof(double) * static_cast<std::size_t>(longest)));
    } else {
      for (std::vector<double>& column : columns_sent_) column.resize(rows_);
      for (std::vector<double>& column : columns_received_) column.resize(rows_);
    }
  }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() {
    if (unseen_ != nullptr) strata::mpix::free_payload(unseen_);
  }

  void run() {
    if (block_ != nullptr) {
      block_->pack(0, columns_sent_[0].data());
      block_->pack(columns_ - 1, columns_sent_[1].data());
    }
    strata::mpix::charge_copy(packed_bytes_);
    std::array<MPI_Request, 2 * kSides> requests;
    for (int side = 0; side < kSides; ++side) {
      MPI_Irecv(received(side), length(side), MPI_DOUBLE, mesh_.partners()[side], side ^ 1, mesh_.comm(),
                &requests[side]);
    }
    for (int side = 0; side < kSides; ++side) {
      MPI_Isend(sent(side), length(side), MPI_DOUBLE, mesh_.partners()[side], side, mesh_.comm(),
                &requests[kSides + side]);
    }
    MPI_Waitall(2 * kSides, requests.data(), MPI_STATUSES_IGNORE);
    if (block_ != nullptr) {
      for (const int side : {kLeft, kRight}) {
        if (mesh_.partners()[side] == MPI_PROC_NULL) continue;  // the edge of the square, where u stays 0
        block_->unpack(side == kLeft ? -1 : columns_, columns_received_[side - kLeft].data());
      }
    }
    strata::mpix::charge_copy(packed_bytes_);
  }

 private:
  int length(int side) const { return side < kLeft ? columns_ : rows_; }
  double* sent(int side) {
    if (block_ == nullptr) return unseen_;
    if (side >= kLeft) return columns_sent_[side - kLeft].data();
    return block_->row(side == kAbove ? 0 : rows_ - 1);
  }
  double* received(int side) {
    if (block_ == nullptr) return unseen_;
    if (side >= kLeft) return columns_received_[side - kLeft].data();
    return block_->row(side == kAbove ? -1 : rows_);
  }

  const Cartesian& mesh_;
  int rows_, columns_;
  Block* block_;
  std::size_t packed_bytes_ = 0;
  std::array<std::vector<double>, 2> columns_sent_, columns_received_;  // left and right
  double* unseen_ = nullptr;
};

double sum_over_ranks(double mine) {
  double sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

// The benchmark. Returns the number of wrong points.
double measure(const Cartesian& mesh, int n, int iterations) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Range rows = part_of(n, mesh.dims()[0], mesh.coords()[0]);
  const Range columns = part_of(n, mesh.dims()[1], mesh.coords()[1]);
  const double points = static_cast<double>(n) * n, flops = kFlopsOfPoint * points * iterations;
  const bool verified = flops <= kVerifiedFlops && 3 * sizeof(double) * points <= kVerifiedBytes;
  std::vector<Block> block;  // or none
  if (verified) block.emplace_back(rows, columns, n);
  Exchange exchange(mesh, rows, columns, verified ? &block[0] : nullptr);

  double computing = 0, communicating = 0;
  const double time = strata::programs::time_until_last(MPI_COMM_WORLD, [&](double then) {
    const auto lap = [&then] {
      const double before = then;
      then = MPI_Wtime();
      return then - before;
    };
    for (int k = 0; k < iterations; ++k) {
      exchange.run();
      communicating += lap();
      if (verified) block[0].iterate();
      const double own_points = static_cast<double>(rows.count) * columns.count;
      strata::mpix::charge_flops_on(kFlopsOfPoint * own_points, kMovedOfPoint * own_points, kHeldOfPoint * own_points);
      computing += lap();
    }
  });

  const double wrong = sum_over_ranks(verified ? block[0].wrong_after(iterations) : 0);
  const double mean_computing = sum_over_ranks(computing) / size;
  const double mean_communicating = sum_over_ranks(communicating) / size;
  if (rank == 0 && wrong == 0) {
    strata::programs::report("time", time / iterations, "s");
    strata::programs::report("rate", kCountedFlops * points * iterations / time / 1e9, "Gflop/s");
    strata::programs::report("computing", mean_computing / iterations, "s");
    strata::programs::report("communicating", mean_communicating / iterations, "s");
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  strata::programs::CartesianOptions options;
  int n = 1024, iterations = 32;
  strata::cli::App app("stencil");
  options.add_to(app);
  app.add_option("--n", n)->check(strata::cli::PositiveNumber);
  app.add_option("--iterations", iterations)->check(strata::cli::PositiveNumber);
  strata::programs::parse(app, argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::vector<int> dims = options.dims_of_all();
  if (dims.size() != 2) strata::programs::refuse("--dims: the mesh has two dimensions, as 64x64");
  if (const std::vector<int> periods = options.periods_of(2); periods[0] != 0 || periods[1] != 0) {
    strata::programs::refuse("--periods: the square has a boundary; leave it out");
  }
  if (n < std::max(dims[0], dims[1])) {
    strata::programs::refuse("--n: " + std::to_string(n) + " points a side are fewer than processes, " +
                             std::to_string(dims[0]) + "x" + std::to_string(dims[1]));
  }
  double wrong = 0;
  {
    const Cartesian mesh(options);
    wrong = measure(mesh, n, iterations);
  }
  if (wrong != 0 && rank == 0) std::fprintf(stderr, "%s %.0f points are not Jacobi's\n", strata::words::kWrong, wrong);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
