// SPDX-License-Identifier: LGPL-2.1-only
// The conjugate gradient benchmark CG of the NAS Parallel Benchmarks 3.3: the largest eigenvalue of a sparse matrix by
// inverse power iteration, each step of which solves A z = x by 25 iterations of the conjugate gradient method.
// Processes, blocks, messages and their order are those of NPB3.3-MPI's cg.f, and so are the results. The number of
// processes must be a power of two.
//
//   cg [--class S|W|A|B|C|D] [--work real|charged] [--steps K] [--reorder off|on] [--mapping-seconds S]
//
// Like the benchmark, the program first makes one step of the power iteration without timing it, and then restarts.
// With `--reorder on`, it records the messages of that step and reorders its ranks by them (watch_and_reorder.h;
// PDSEC'20, Section VI.E). These two calls are the only difference. No data moves: a process computes the block of the
// matrix for its new rank in the same way as its first block, which the benchmark does not time.
//
// `real` computes (the default up to class A), and the result must agree with NPB's published value. `charged` sends
// the same messages with arbitrary data. Under SMPI, arithmetic takes simulated time in both cases. It takes the longer
// of the time for the operations and the time for memory accesses (charge_streaming): 12 bytes per element of the
// matrix (its value and its column), and each vector as often as a loop reads or writes it. Both use the expected
// number of elements (expected_cg_elements), so that they take the same time.
//
// All steps of the power iteration are alike: if only K < niter steps are charged (at least 2), the remaining ones are
// assumed to take as long as the last one.
//
// Reports `time`, of all niter steps until the last process has finished (s); `communicating`, the part of it that rank
// 0 spends in MPI (s); `reordering`, the time of the second call on the slowest process, which is included in both (s);
// `moved`, the number of processes with a different rank afterwards (1); and for real work `zeta`, the result, and
// `residual`, ||x - A z|| of the last step (1). Computing the mapping takes no simulated time by itself, so rank 0
// computes for S seconds for each pair of ranks that exchanges messages.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "records/exchange/exchanged_words.h"
#include "scenarios/programs/cg_classes.h"
#include "scenarios/programs/cg_grid.h"
#include "scenarios/programs/cg_matrix.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/rank_and_size.h"
#include "scenarios/programs/region.h"
#include "scenarios/programs/watch_and_reorder.h"

namespace {

using strata::programs::CgClass;
using strata::programs::CgMatrix;
using strata::programs::CgRange;
using strata::programs::CgShare;
using strata::programs::CgStage;
using strata::programs::rank_in;
using strata::programs::size_of;

constexpr double kDouble = sizeof(double);  // B
constexpr double kElement = 12;             // B per element of the matrix: its value, and its column in 4 B

// The messages of a process, and the time that it spends on them.
class Exchanges {
 public:
  Exchanges(const CgShare& share, MPI_Comm comm) : share_(share), comm_(comm) {}

  // Sums over a row of the grid.
  template <std::size_t N>
  void sum(std::array<double, N>& values) {
    for (const CgStage& stage : share_.stages) {
      std::array<double, N> others = {};
      swap(values.data(), N, others.data(), N, stage.partner);
      for (std::size_t i = 0; i < N; ++i) values[i] += others[i];
    }
  }
  // One stage of summing w.
  void stage(const CgStage& stage, const double* w, double* received) {
    swap(w + stage.sent.first, stage.sent.count, received, stage.received.count, stage.partner);
  }
  // Gets the process's columns from the process that has them as rows.
  void transpose(const double* w, double* q) {
    swap(w + share_.transposed.first, share_.transposed.count, q, share_.columns.count, share_.transpose);
  }

  double time() const { return time_; }

 private:
  // Uses MPI_Isend, because SMPI charges the sender's overhead to nonblocking sends. Waiting at once makes it blocking.
  void swap(const double* sent, int sent_count, double* received, int received_count, int partner) {
    const double start = MPI_Wtime();
    std::array<MPI_Request, 2> requests;
    MPI_Irecv(received, received_count, MPI_DOUBLE, partner, 0, comm_, &requests[0]);
    MPI_Isend(sent, sent_count, MPI_DOUBLE, partner, 0, comm_, &requests[1]);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    time_ += MPI_Wtime() - start;
  }

  const CgShare& share_;
  MPI_Comm comm_;
  double time_ = 0;
};

// A process's part of the matrix and the vectors, if it computes.
struct Data {
  CgMatrix a;
  std::vector<double> x, z, p, r;
};

// A process's part in the power iteration.
class Solver {
 public:
  Solver(const CgClass& c, bool real, MPI_Comm comm) : class_(c), share_(share_of(c, comm)), exchanges_(share_, comm) {
    elements_ = strata::programs::expected_cg_elements(c.n, c.nonzer, share_.rows, share_.columns);
    const auto longest = static_cast<std::size_t>(std::max(share_.rows.count, share_.columns.count));
    if (real) {
      data_.emplace();
      data_->a = strata::programs::make_cg_matrix(c.n, c.nonzer, c.shift, share_.rows, share_.columns);
      own_w_.resize(longest);
      own_q_.resize(longest);
      w_ = own_w_.data();
      q_ = own_q_.data();
    } else {
      w_ = static_cast<double*>(strata::mpix::allocate_payload(longest * sizeof(double)));
      q_ = static_cast<double*>(strata::mpix::allocate_payload(longest * sizeof(double)));
    }
    restart();
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver() {
    if (data_) return;
    strata::mpix::free_payload(w_);
    strata::mpix::free_payload(q_);
  }

  // x = 1.
  void restart() {
    if (data_) data_->x.assign(share_.columns.count, 1);
  }

  // A step of the power iteration: z = A^-1 x, x = z / ||z||.
  void step() {
    solve();
    std::array<double, 2> norms = {};
    compute(4 * vector(), 2 * kDouble * vector(), [&](Data& d) { norms = {dot(d.x, d.z), dot(d.z, d.z)}; });
    exchanges_.sum(norms);
    zeta_ = class_.shift + 1 / norms[0];
    compute(vector(), 3 * kDouble * vector(), [&](Data& d) {
      const double scale = 1 / std::sqrt(norms[1]);
      for (std::size_t i = 0; i < d.x.size(); ++i) d.x[i] = scale * d.z[i];
    });
  }

  double zeta() const { return zeta_; }
  double residual() const { return residual_; }
  double communicating() const { return exchanges_.time(); }
  // The number of processes with which this one exchanges data: one per stage, and that of the transpose (itself, on
  // the diagonal).
  int partners() const { return static_cast<int>(share_.stages.size()) + 1; }

 private:
  static CgShare share_of(const CgClass& c, MPI_Comm comm) {
    return strata::programs::cg_share(c.n, size_of(comm), rank_in(comm));
  }

  double vector() const { return share_.columns.count; }
  // The size in B of the data that an iteration uses: the block of the matrix, and the vectors x, z, p, q, r and w.
  double held() const {
    constexpr double kVectors = 6;
    return kElement * elements_ + kVectors * kDouble * vector();
  }

  // Performs the arithmetic if there is data, and charges it in either case.
  template <class Arithmetic>
  void compute(double flops, double bytes, const Arithmetic& arithmetic) {
    if (data_) arithmetic(*data_);
    strata::mpix::charge_streaming(flops, bytes, held());
  }

  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  }
  double sum(double mine) {
    std::array<double, 1> value = {mine};
    exchanges_.sum(value);
    return value[0];
  }

  // q = A by, with `by` either p or z.
  void multiply(std::vector<double> Data::*by) {
    const double rows = share_.rows.count;
    compute(2 * elements_, kElement * elements_ + kDouble * vector() + 3 * kDouble * rows,
            [&](Data& d) { d.a.multiply((d.*by).data(), w_); });
    for (auto stage = share_.stages.rbegin(); stage != share_.stages.rend(); ++stage) {
      exchanges_.stage(*stage, w_, q_);
      const double count = stage->received.count;
      compute(count, 3 * kDouble * count, [&](Data&) {
        for (int i = 0; i < stage->received.count; ++i) w_[stage->received.first + i] += q_[i];
      });
    }
    if (share_.stages.empty()) {  // a single process
      compute(0, 3 * kDouble * vector(), [&](Data&) { std::copy_n(w_, share_.columns.count, q_); });
    } else {
      exchanges_.transpose(w_, q_);
    }
  }

  // Approximates z = A^-1 x.
  void solve() {
    double rho = 0;
    compute(2 * vector(), 7 * kDouble * vector(), [&](Data& d) {
      d.z.assign(d.x.size(), 0);
      d.r = d.x;
      d.p = d.x;
      rho = dot(d.r, d.r);
    });
    rho = sum(rho);
    for (int i = 0; i < strata::programs::kCgSteps; ++i) {
      multiply(&Data::p);
      double pq = 0;
      compute(2 * vector(), 2 * kDouble * vector(), [&](Data& d) {
        for (std::size_t k = 0; k < d.p.size(); ++k) pq += d.p[k] * q_[k];
      });
      const double alpha = rho / sum(pq), before = rho;
      compute(6 * vector(), 6 * kDouble * vector(), [&](Data& d) {
        for (std::size_t k = 0; k < d.p.size(); ++k) {
          d.z[k] += alpha * d.p[k];
          d.r[k] -= alpha * q_[k];
        }
        rho = dot(d.r, d.r);
      });
      rho = sum(rho);
      compute(2 * vector(), 3 * kDouble * vector(), [&](Data& d) {
        for (std::size_t k = 0; k < d.p.size(); ++k) d.p[k] = d.r[k] + rho / before * d.p[k];
      });
    }
    multiply(&Data::z);
    double square = 0;
    compute(3 * vector(), 2 * kDouble * vector(), [&](Data& d) {
      for (std::size_t k = 0; k < d.x.size(); ++k) square += (d.x[k] - q_[k]) * (d.x[k] - q_[k]);
    });
    residual_ = std::sqrt(sum(square));
  }

  const CgClass& class_;
  CgShare share_;
  Exchanges exchanges_;
  std::optional<Data> data_;
  double elements_ = 0;  // number of elements in the process's block
  std::vector<double> own_w_, own_q_;
  double *w_ = nullptr, *q_ = nullptr;  // sent and received data
  double zeta_ = 0, residual_ = 0;
};

// The benchmark's command line.
struct Options {
  std::string name = "S", work, reorder = "off";
  int steps = 0;               // 0: all
  double mapping_seconds = 0;  // s, for each pair of ranks that exchanges messages
};

// Extrapolates a time that is known after each of the first steps to the time after `steps`.
double after(const std::vector<double>& known, int steps) {
  const int more = steps - static_cast<int>(known.size());
  return more == 0 ? known.back() : known.back() + more * (known.back() - known[known.size() - 2]);
}

// The communicator to use from now on, and the cost of making it.
struct Reordered {
  MPI_Comm comm;
  double time = 0;   // s, of the slowest process
  double moved = 0;  // number of processes
};

Reordered reorder_timed(MPI_M_msid watched, MPI_Comm comm, int partners, double mapping_seconds) {
  const int before = rank_in(comm);
  const double start = MPI_Wtime();
  if (before == 0 && mapping_seconds > 0) strata::mpix::charge_seconds(mapping_seconds * partners * size_of(comm));
  Reordered r = {.comm = strata::programs::reorder(watched, comm)};
  const double mine = MPI_Wtime() - start;
  if (r.comm == MPI_COMM_NULL) return r;
  const double moved = before == rank_in(r.comm) ? 0 : 1;
  MPI_Allreduce(&mine, &r.time, 1, MPI_DOUBLE, MPI_MAX, comm);
  MPI_Allreduce(&moved, &r.moved, 1, MPI_DOUBLE, MPI_SUM, comm);
  return r;
}

// The time of the timed steps, from the moment when all ranks are ready.
struct Timed {
  std::vector<double> time;           // s until the last process has finished a step, by step
  std::vector<double> communicating;  // s that this process spends in MPI, by step
};

Timed run(Solver& solver, int steps, MPI_Comm comm) {
  Timed timed;
  std::vector<double> mine;
  const double before = solver.communicating();
  strata::programs::time_until_last(comm, [&](double start) {
    for (int k = 0; k < steps; ++k) {
      solver.step();
      mine.push_back(MPI_Wtime() - start);
      timed.communicating.push_back(solver.communicating() - before);
    }
  });
  timed.time.resize(mine.size());
  MPI_Allreduce(mine.data(), timed.time.data(), steps, MPI_DOUBLE, MPI_MAX, comm);
  return timed;
}

// Returns whether the result is correct.
bool measure(const CgClass& c, bool real, int steps, const Options& options) {
  MPI_Comm comm = MPI_COMM_WORLD;
  const bool reorders = options.reorder == "on";
  std::optional<Solver> solver;
  solver.emplace(c, real, comm);
  const MPI_M_msid watched = reorders ? strata::programs::watch(comm) : MPI_M_MSID_NULL;
  solver->step();
  solver->restart();
  Reordered reordered = {.comm = comm};
  if (reorders) {
    reordered = reorder_timed(watched, comm, solver->partners(), options.mapping_seconds);
    if (reordered.comm == MPI_COMM_NULL) return false;  // reorder() has printed the reason
    comm = reordered.comm;
    solver.emplace(c, real, comm);
  }
  const Timed timed = run(*solver, steps, comm);
  const int rank = rank_in(comm);
  const bool right = !real || std::abs(solver->zeta() - c.zeta) <= strata::programs::kCgTolerance * c.zeta;
  if (rank == 0 && right) {
    const double total = after(timed.time, c.niter), communication = after(timed.communicating, c.niter);
    strata::programs::report("time", reordered.time + total, "s");
    strata::programs::report("communicating", reordered.time + communication, "s");
    strata::programs::report("reordering", reordered.time, "s");
    strata::programs::report("moved", reordered.moved, "1");
    if (real) {
      strata::programs::report("zeta", solver->zeta(), "1");
      strata::programs::report("residual", solver->residual(), "1");
    }
  }
  if (rank == 0 && !right) {
    std::fprintf(stderr, "%s zeta is %.14g, class %c's is %.14g\n", strata::words::kWrong, solver->zeta(), c.name,
                 c.zeta);
  }
  solver.reset();
  if (reorders) MPI_Comm_free(&comm);
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Options options;
  strata::cli::App app("cg");
  app.add_option("--class", options.name)->check(strata::cli::IsMember({"S", "W", "A", "B", "C", "D"}));
  app.add_option("--work", options.work)->check(strata::cli::IsMember({"real", "charged"}));
  app.add_option("--steps", options.steps)->check(strata::cli::Range(2, 1000));
  app.add_option("--reorder", options.reorder)->check(strata::cli::IsMember({"off", "on"}));
  app.add_option("--mapping-seconds", options.mapping_seconds)->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);
  const int size = size_of(MPI_COMM_WORLD);
  const CgClass& c = *strata::programs::find_cg_class(options.name);
  const bool real = options.work.empty() ? c.computed : options.work == "real";
  const int steps = options.steps == 0 ? c.niter : options.steps;
  if ((size & (size - 1)) != 0) {
    strata::programs::refuse(std::to_string(size) + " ranks: CG's grid wants a power of two");
  }
  if (steps > c.niter || (real && steps < c.niter)) {
    strata::programs::refuse("--steps: " + std::to_string(steps) + ", class " + options.name + " has " +
                             std::to_string(c.niter) + (real ? ", and real work goes to the end" : ""));
  }
  const bool right = measure(c, real, steps, options);
  MPI_Finalize();
  return right ? 0 : 1;
}
