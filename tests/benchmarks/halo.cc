// SPDX-License-Identifier: LGPL-2.1-only
// Halo exchange on a periodic grid of ranks, with two dimensions by default: each rank repeatedly sends to its
// neighbours and receives from them. The program of the messages benchmark, with no work except messages.
//
//   halo --iterations N --bytes B [--dims 128x128] [--comm world|nodecart]
//
// Ranks are numbered row by row, or by MPIX_Nodecart_create (with its method auto). All ranks share one payload buffer,
// so that the benchmark measures messages and not copies. Prints the simulated time in s and the number of messages.
#include <mpi.h>

#include <memory>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/mesh_of_ranks.h"
#include "scenarios/programs/options.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int iterations = 100, bytes = 8192;
  strata::programs::CartesianOptions mesh_options;
  mesh_options.periods = "1x1";
  mesh_options.comm = "world";
  mesh_options.method = "auto";
  strata::cli::App app("halo");
  mesh_options.add_to(app);
  app.add_option("--iterations", iterations)->check(strata::cli::PositiveNumber);
  app.add_option("--bytes", bytes)->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);

  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  auto mesh = std::make_unique<const strata::programs::Cartesian>(mesh_options);
  const std::vector<int>& neighbours = mesh->partners();
  const int sides = static_cast<int>(neighbours.size());
  std::vector<MPI_Request> requests(2 * neighbours.size());
  void* payload = strata::mpix::allocate_payload(bytes);

  const double start = MPI_Wtime();
  for (int i = 0; i < iterations; ++i) {
    for (int n = 0; n < sides; ++n) {
      // A message sent towards neighbour n arrives there from the opposite side, n ^ 1.
      MPI_Irecv(payload, bytes, MPI_BYTE, neighbours[n], n ^ 1, mesh->comm(), &requests[n]);
      MPI_Isend(payload, bytes, MPI_BYTE, neighbours[n], n, mesh->comm(), &requests[sides + n]);
    }
    MPI_Waitall(2 * sides, requests.data(), MPI_STATUSES_IGNORE);
  }
  const double mine = MPI_Wtime() - start;
  double slowest = 0;
  MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    strata::programs::report("time", slowest, "s");
    strata::programs::report("messages", 1.0 * sides * size * iterations, "");
  }
  strata::mpix::free_payload(payload);
  mesh.reset();
  MPI_Finalize();
  return 0;
}
