// Measures one broadcast: the time until the last rank has the message (s), from a moment at which all are ready.
//
//   bcast --algorithm linear|binomial --variant native|hierarchical --elements N [--root R]
//
// Elements are of 4 bytes, as in RR-9077, Section 7.2. Where the buffers of all ranks together take at most
// kVerifiedBytes every rank has its own and compares what it got; beyond, the ranks share one buffer and the same code
// moves the same messages through it.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/mpix.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"

namespace {

constexpr double kVerifiedBytes = 256e6;  // B over all ranks: what a laptop has to spare for each of a few simulations

std::int32_t pattern(int element, int root) { return static_cast<std::int32_t>(element * 2654435761u + root); }

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string algorithm = "linear", variant = "native";
  int elements = 1, root = 0;
  CLI::App app("bcast");
  const std::map<std::string, int> algorithms = {{"linear", MPIX_ALGORITHM_LINEAR},
                                                 {"binomial", MPIX_ALGORITHM_BINOMIAL}};
  app.add_option("--algorithm", algorithm)->check(CLI::IsMember(algorithms));
  app.add_option("--variant", variant)->check(CLI::IsMember({"native", "hierarchical"}));
  app.add_option("--elements", elements)->check(CLI::NonNegativeNumber);
  app.add_option("--root", root)->check(CLI::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);

  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::size_t bytes = sizeof(std::int32_t) * static_cast<std::size_t>(elements);
  const bool verified = static_cast<double>(bytes) * size <= kVerifiedBytes;
  std::vector<std::int32_t> own;
  std::int32_t* buffer;
  if (verified) {
    own.assign(static_cast<std::size_t>(elements) + 1, -1);  // the last one must stay
    for (int i = 0; rank == root && i < elements; ++i) own[i] = pattern(i, root);
    buffer = own.data();
  } else {
    buffer = static_cast<std::int32_t*>(strata::mpix::allocate_payload(bytes));
  }

  MPIX_Hierarchy hierarchy = MPIX_HIERARCHY_NULL;
  const int which = algorithms.at(algorithm);
  const bool hierarchical = variant == "hierarchical";
  const auto broadcast = [&](void* data, int count) {
    return hierarchical ? MPIX_Hierarchy_bcast(data, count, MPI_INT32_T, root, hierarchy, which, 0)
                        : MPIX_Bcast(data, count, MPI_INT32_T, root, MPI_COMM_WORLD, which, 0);
  };
  if (hierarchical) MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &hierarchy);
  std::int32_t warm = 0;
  broadcast(&warm, 1);  // contexts are made at the first call

  const double start = strata::mpix::start_together(MPI_COMM_WORLD);
  broadcast(buffer, elements);
  const double mine = MPI_Wtime() - start;
  strata::mpix::let_others_finish(MPI_COMM_WORLD);

  double slowest = 0;
  MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  int wrong = 0, any_wrong = 0;
  if (verified) {
    for (int i = 0; i < elements; ++i) wrong += own[i] != pattern(i, root) ? 1 : 0;
    wrong += own[elements] != -1 ? 1 : 0;
  } else {
    strata::mpix::free_payload(buffer);
  }
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (hierarchical) MPIX_Hierarchy_free(&hierarchy);
  if (wrong != 0) std::fprintf(stderr, "@strata wrong rank %d has %d wrong elements of %d\n", rank, wrong, elements);
  if (rank == 0 && any_wrong == 0) strata::programs::report("time", slowest, "s");
  MPI_Finalize();
  return any_wrong == 0 ? 0 : 1;
}
