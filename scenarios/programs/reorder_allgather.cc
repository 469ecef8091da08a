// SPDX-License-Identifier: LGPL-2.1-only
// Measures the benefit and the cost of reordering for groups of ranks that do allgathers (PDSEC'20, Section VI-D,
// Figure 6).
//
//   reorder_allgather [--groups G] [--elements N] [--iterations N] [--initial roundrobin|identity|random]
//                     [--mapping-seconds S] [--all]
//
// The ranks form G groups of consecutive ranks and equal size; by default, as many as full nodes of 24. In the initial
// order, round-robin over the nodes, each group spans all nodes. In an iteration, each group gathers N elements of 4
// bytes from each of its ranks with a ring. It prints, with each time until the last rank has finished:
//
//   before (s)      t1: all iterations in the initial order
//   reordering (s)  t2: the session's data of one iteration is gathered on rank 0 and mapped (S seconds of its core for
//                   each pair that exchanges messages), and the communicator and those of the groups are made again
//   after (s)       t3: all iterations in the new order
//   factor          t1 / (t2 + t3)
//   gain (%)        100 (t1 - (t2 + t3)) / t1
//
// All iterations are alike. They are simulated until two in a row take the same time; the remaining ones are
// extrapolated (--all simulates all of them).
//
// S is charged instead of the measured time because the latter is wall time, which differs from run to run. As
// measured, TreeMatch maps these groups of 48, 96 and 192 ranks in 1.2, 1.3 and 1.5 ms on one core, and CG's 64, 128
// and 256 (program cg) in 16, 4 and 28 ms. This is 8 to 63 us for each pair that exchanges messages, and the default is
// right within a factor of three. The paper reports up to 20 ms for 256 processes.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/exchanged_words.h"
#include "scenarios/programs/checked_buffers.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/rank_and_size.h"
#include "scenarios/programs/region.h"
#include "scenarios/programs/reordered.h"

namespace {

using strata::programs::Collective;
using strata::programs::Payload;
using strata::programs::rank_in;
using strata::programs::size_of;

constexpr int kCoresPerNode = 24;          // in PlaFRIM's nodes
constexpr double kClockSteps = 1e-10;      // s: a clock at 10^5 s has 11 digits after the point
constexpr double kMappingSeconds = 25e-6;  // s for each pair that exchanges messages; see above

struct Options {
  std::string initial = "roundrobin";
  int groups = 0, elements = 1, iterations = 1;
  double mapping_seconds = kMappingSeconds;
  bool all = false;
};

Options parse_options(int argc, char** argv, int size) {
  Options o;
  strata::cli::App app("reorder_allgather");
  app.add_option("--groups", o.groups)->check(strata::cli::PositiveNumber);
  app.add_option("--elements", o.elements)->check(strata::cli::PositiveNumber);
  app.add_option("--iterations", o.iterations)->check(strata::cli::PositiveNumber);
  app.add_option("--initial", o.initial)->check(strata::cli::IsMember({"identity", "roundrobin", "random"}));
  app.add_option("--mapping-seconds", o.mapping_seconds)->check(strata::cli::NonNegativeNumber);
  app.add_flag("--all", o.all);
  app.callback([&] {
    if (o.groups == 0) o.groups = std::max(1, size / kCoresPerNode);
    if (size % o.groups != 0) {
      throw strata::cli::ValidationError(
          "--groups",
          std::to_string(o.groups) + " groups of equal size cannot be made of " + std::to_string(size) + " ranks");
    }
  });
  strata::programs::parse(app, argc, argv);
  return o;
}

// The communicator of the caller's group.
MPI_Comm group_of(MPI_Comm comm, int groups) {
  MPI_Comm group = MPI_COMM_NULL;
  MPI_Comm_split(comm, rank_in(comm) / (size_of(comm) / groups), 0, &group);
  return group;
}

void iterate(MPI_Comm group, Payload& payload, int elements) {
  MPIX_Allgather(payload.send(), elements, MPI_UINT32_T, payload.receive(), elements, MPI_UINT32_T, group,
                 MPIX_ALGORITHM_RING);
}

// The time (s) until the last rank has finished all iterations; the same on all ranks.
double time_of(MPI_Comm comm, const Options& o, MPI_Comm group, int& wrong) {
  Payload payload(Collective::kAllgather, o.elements, 0, rank_in(group), size_of(group));
  iterate(group, payload, 1);  // the first call makes contexts
  payload.fill();
  double sum = 0, last = 0;
  for (int i = 0; i < o.iterations; ++i) {
    const double time = strata::programs::time_until_last(comm, [&](double) { iterate(group, payload, o.elements); });
    const bool again = i > 0 && std::abs(time - last) <= kClockSteps;
    sum += time;
    last = time;
    if (again && !o.all) {
      sum += (o.iterations - 1 - i) * time;
      break;
    }
  }
  wrong += payload.count_wrong();
  return sum;
}

long pairs_in(const std::vector<unsigned long>& matrix) {
  return static_cast<long>(matrix.size()) - std::count(matrix.begin(), matrix.end(), 0ul);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_in(MPI_COMM_WORLD);
  int wrong = 0, any_wrong = 0;
  const Options o = parse_options(argc, argv, size_of(MPI_COMM_WORLD));

  MPI_Comm comm = strata::programs::in_order(o.initial), group = group_of(comm, o.groups);
  const double before = time_of(comm, o, group, wrong);

  MPI_Comm better = MPI_COMM_NULL, better_group = MPI_COMM_NULL;
  double reordering = 0;
  {
    Payload payload(Collective::kAllgather, o.elements, 0, rank_in(group), size_of(group));
    strata::programs::Watching session(comm);
    iterate(group, payload, o.elements);
    session.suspend();
    reordering = strata::programs::time_until_last(comm, [&](double) {
      const std::vector<unsigned long> matrix = session.matrix();
      strata::mpix::charge_seconds(o.mapping_seconds * static_cast<double>(pairs_in(matrix)));
      better = strata::programs::reordered(comm, matrix);
      better_group = group_of(better, o.groups);
    });
  }
  const double after = time_of(better, o, better_group, wrong);
  for (MPI_Comm* c : {&better_group, &better, &group, &comm}) MPI_Comm_free(c);

  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (wrong != 0) std::fprintf(stderr, "%s rank %d has %d wrong elements\n", strata::words::kWrong, rank, wrong);
  if (rank == 0 && any_wrong == 0) {
    strata::programs::report("gain", 100 * (before - (reordering + after)) / before, "%");
    strata::programs::report("factor", before / (reordering + after), "1");
    strata::programs::report("before", before, "s");
    strata::programs::report("reordering", reordering, "s");
    strata::programs::report("after", after, "s");
  }
  MPI_Finalize();
  return any_wrong == 0 ? 0 : 1;
}
