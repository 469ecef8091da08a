// SPDX-License-Identifier: LGPL-2.1-only
// Measures a matrix multiplication C = A B on a grid of processes with SUMMA (van de Geijn and Watts, 1997). Its
// broadcasts go over whole rows and columns of the grid, or over hierarchies of them (Quintin, Hasanov and Lastovetsky,
// "Hierarchical parallel matrix multiplication on large-scale distributed memory platforms", 2013; RR-9077, Section
// 7.3).
//
//   summa --variant simple|IxJ-groups|topological [--block N]
//
// The grid has R rows and C columns: R is the largest divisor of the number of processes that is at most its square
// root (240 are 15 x 16, 160 are 10 x 16, 96 are 8 x 12). Ranks fill it row by row. Matrices consist of blocks of N x N
// doubles. The paper's "one block of 8 doubles per process" is interpreted as N = 8, SUMMA's block size, since 8
// doubles in total would not be a square. A and C have R x C blocks, one per process. B has C x C blocks, distributed
// block-cyclically as in ScaLAPACK: block (k, j) is on the process of row k mod R and column j.
//
// There are C steps. In step k, with messages of 8 N^2 bytes:
//   1. every row: its process k broadcasts its block of A to the row;
//   2. every column: its process k mod R broadcasts block (k, j) of B to the column;
//   3. every process multiplies the two and adds the product to its block of C: 2 N^3 flop.
// A process continues as soon as its own part is done; there is no other synchronisation. The variant determines the
// broadcasts:
//   simple       MPIX_Bcast, binary tree, not segmented, on the row or column (in the order of ranks)
//   IxJ-groups   MPIX_Hierarchy_bcast with the same algorithm over two levels given by the user: each column of
//                processes is divided into I groups of neighbours, each row into J
//   topological  the same over the levels of the machine that the row or column spans
//
// Reports `computing`, the time of step 3, and `communicating`, that of steps 1 and 2, as means over the ranks (the
// blue and red parts of the paper's Figures 11 to 13), and `time`, their sum (s).
//
// If the product takes at most kVerifiedFlops, it is compared with Eigen's. Entries are small whole numbers, so both
// must be identical. For larger products, blocks are buffers with arbitrary data, and the arithmetic is only charged.
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <eigen3/Eigen/Core>
#include <string>
#include <vector>

#include "base/dims_text.h"
#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/exchanged_words.h"
#include "records/program_defaults.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"

namespace {

constexpr double kVerifiedFlops = 1e9;  // flop: about a second on a laptop
constexpr int kMostBlock = 16384;       // MPI counts a block's bytes with an int

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Grid {
  int rows, columns;
};

Grid most_square_grid(int processes) {
  int rows = 1;
  for (int r = 1; r <= processes / r; ++r) {
    if (processes % r == 0) rows = r;
  }
  return {rows, processes / rows};
}

// Entries (i, j) of A and of B: whole numbers from -6 to 6, without a pattern that would hide a misplaced block.
double entry_of_a(int i, int j) { return (i * 31 + j * 17 + i * j % 7) % 13 - 6; }
double entry_of_b(int i, int j) { return (i * 23 + j * 29 + i * j % 11) % 13 - 6; }

// Broadcasts on a row or column, over one of three kinds of communicators.
class Line {
 public:
  enum class Kind { kFlat, kGroups, kTopology };

  Line(MPI_Comm comm, Kind kind, int groups) : comm_(comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    const std::vector<int> levels = {groups, size / groups};
    if (kind == Kind::kGroups) {
      MPIX_Hierarchy_create_groups(comm, static_cast<int>(levels.size()), levels.data(), &hierarchy_);
    }
    if (kind == Kind::kTopology) MPIX_Hierarchy_create(comm, MPI_INFO_NULL, &hierarchy_);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() {
    if (hierarchy_ != MPIX_HIERARCHY_NULL) MPIX_Hierarchy_free(&hierarchy_);
    MPI_Comm_free(&comm_);
  }

  void broadcast(double* block, int count, int root) {
    if (hierarchy_ == MPIX_HIERARCHY_NULL) {
      MPIX_Bcast(block, count, MPI_DOUBLE, root, comm_, MPIX_ALGORITHM_BINARY, 0);
    } else {
      MPIX_Hierarchy_bcast(block, count, MPI_DOUBLE, root, hierarchy_, MPIX_ALGORITHM_BINARY, 0);
    }
  }

 private:
  MPI_Comm comm_;
  MPIX_Hierarchy hierarchy_ = MPIX_HIERARCHY_NULL;
};

struct Variant {
  Line::Kind kind = Line::Kind::kFlat;
  std::vector<int> groups = {1, 1};  // in a column and in a row
};

// Refuses an unknown variant, or one that does not divide the grid.
Variant parse_variant(const std::string& text, Grid grid) {
  if (text == "simple") return {};
  if (text == "topological") return {.kind = Line::Kind::kTopology};
  const std::string suffix = "-groups";
  const std::size_t at = text.size() < suffix.size() ? 0 : text.size() - suffix.size();
  Variant v = {Line::Kind::kGroups, strata::parse_dims(text.substr(0, at))};
  if (text.substr(at) != suffix || v.groups.size() != 2) {
    strata::programs::refuse("--variant: '" + text + "' is none of simple, topological, IxJ-groups (as 3x4-groups)");
  }
  if (grid.rows % v.groups[0] != 0 || grid.columns % v.groups[1] != 0) {
    strata::programs::refuse("--variant: " + text + " do not divide the grid of " + std::to_string(grid.rows) + "x" +
                             std::to_string(grid.columns) + " processes");
  }
  return v;
}

Line make_line(int color, int key, Line::Kind kind, int groups) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
  return {comm, kind, groups};
}

// c += a b, all of size n x n.
void multiply_add(const double* a, const double* b, double* c, int n) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

// Rank 0 gathers C and counts the entries that differ from Eigen's; other ranks return 0.
long wrong_entries(const std::vector<double>& own, Grid grid, int n) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int count = n * n;
  std::vector<double> blocks(rank == 0 ? static_cast<std::size_t>(grid.rows) * grid.columns * count : 0);
  MPI_Gather(own.data(), count, MPI_DOUBLE, blocks.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank != 0) return 0;
  Matrix a(grid.rows * n, grid.columns * n), b(grid.columns * n, grid.columns * n);
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j < a.cols(); ++j) a(i, j) = entry_of_a(i, j);
  }
  for (int i = 0; i < b.rows(); ++i) {
    for (int j = 0; j < b.cols(); ++j) b(i, j) = entry_of_b(i, j);
  }
  const Matrix expected = a * b;
  long wrong = 0;
  for (int p = 0; p < grid.rows * grid.columns; ++p) {
    const Eigen::Map<const Matrix> block(&blocks[static_cast<std::size_t>(p) * count], n, n);
    const auto there = expected.block(p / grid.columns * n, p % grid.columns * n, n, n);
    wrong += (block.array() != there.array()).count();
  }
  return wrong;
}

double mean_over_ranks(double mine) {
  double sum = 0;
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum / size;
}

// The benchmark, on blocks of n x n. Returns the number of wrong entries of the product, on rank 0.
long measure(Grid grid, const Variant& variant, int n) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int row = rank / grid.columns, column = rank % grid.columns;
  Line along_row = make_line(row, column, variant.kind, variant.groups[1]);
  Line along_column = make_line(column, row, variant.kind, variant.groups[0]);

  const int count = n * n;
  const double flops_of_step = 2.0 * n * n * n;
  const bool verified = flops_of_step * grid.columns * size <= kVerifiedFlops;
  // This process's blocks, and received ones. Without verification, all are one buffer with arbitrary data.
  std::vector<double> own_a, own_b, got_a, got_b, c;
  double* unseen = nullptr;
  if (verified) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) own_a.push_back(entry_of_a(row * n + i, column * n + j));
    }
    for (int k = row; k < grid.columns; k += grid.rows) {
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) own_b.push_back(entry_of_b(k * n + i, column * n + j));
      }
    }
    for (std::vector<double>* block : {&got_a, &got_b, &c}) block->assign(static_cast<std::size_t>(count), 0);
  } else {
    unseen = static_cast<double*>(strata::mpix::allocate_payload(sizeof(double) * static_cast<std::size_t>(count)));
  }
  const auto block_of_a = [&](int k) {
    if (!verified) return unseen;
    return column == k ? own_a.data() : got_a.data();
  };
  const auto block_of_b = [&](int k) {
    if (!verified) return unseen;
    return row == k % grid.rows ? &own_b[static_cast<std::size_t>(k / grid.rows) * count] : got_b.data();
  };
  // The first call makes the contexts that it needs. In a hierarchy, the context of the whole line is only needed if
  // the root is not its first process.
  double warm = 0;
  along_row.broadcast(&warm, 1, grid.columns - 1);
  along_column.broadcast(&warm, 1, grid.rows - 1);

  double computing = 0, communicating = 0;
  double then = strata::mpix::start_together(MPI_COMM_WORLD);
  const auto lap = [&then] {
    const double before = then;
    then = MPI_Wtime();
    return then - before;
  };
  for (int k = 0; k < grid.columns; ++k) {
    double* a = block_of_a(k);
    double* b = block_of_b(k);
    along_row.broadcast(a, count, k);
    along_column.broadcast(b, count, k % grid.rows);
    communicating += lap();
    if (verified) multiply_add(a, b, c.data(), n);
    strata::mpix::charge_flops(flops_of_step);
    computing += lap();
  }
  strata::mpix::let_others_finish(MPI_COMM_WORLD);

  const long wrong = verified ? wrong_entries(c, grid, n) : 0;
  if (!verified) strata::mpix::free_payload(unseen);
  const double mean_computing = mean_over_ranks(computing), mean_communicating = mean_over_ranks(communicating);
  if (rank == 0 && wrong == 0) {
    strata::programs::report("time", mean_computing + mean_communicating, "s");
    strata::programs::report("computing", mean_computing, "s");
    strata::programs::report("communicating", mean_communicating, "s");
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  strata::programs::SummaOptions o;
  strata::cli::App app("summa");
  app.add_option("--variant", o.variant);
  app.add_option("--block", o.block)->check(strata::cli::Range(1, kMostBlock));
  strata::programs::parse(app, argc, argv);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Grid grid = most_square_grid(size);
  const long wrong = measure(grid, parse_variant(o.variant, grid), o.block);
  if (wrong != 0) std::fprintf(stderr, "%s %ld entries of the product are not Eigen's\n", strata::words::kWrong, wrong);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
