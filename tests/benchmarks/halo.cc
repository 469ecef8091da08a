// Halo exchange on a periodic two-dimensional grid of ranks: each rank sends to its four neighbours and receives from
// them, again and again. The program of the messages benchmark: nothing in it but messages.
//
//   halo --iterations N --bytes B
//
// The payload is one buffer that all ranks share, so that what is measured is messages and not copies. Prints the time
// (s, simulated) and how many messages were sent.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <array>

#include "mpi_ext/adapter/measure.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int iterations = 100, bytes = 8192;
  CLI::App app("halo");
  app.add_option("--iterations", iterations)->check(CLI::PositiveNumber);
  app.add_option("--bytes", bytes)->check(CLI::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);

  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::array<int, 2> dims{};
  MPI_Dims_create(size, 2, dims.data());
  const int rows = dims[0], columns = dims[1], row = rank / columns, column = rank % columns;
  const std::array<int, 4> neighbours = {
      (row + rows - 1) % rows * columns + column, (row + 1) % rows * columns + column,
      row * columns + (column + columns - 1) % columns, row * columns + (column + 1) % columns};
  void* payload = strata::mpix::allocate_payload(bytes);

  const double start = MPI_Wtime();
  for (int i = 0; i < iterations; ++i) {
    std::array<MPI_Request, 8> requests;
    for (int n = 0; n < 4; ++n) {
      // What leaves towards neighbour n arrives there from the opposite side, n ^ 1.
      MPI_Irecv(payload, bytes, MPI_BYTE, neighbours[n], n ^ 1, MPI_COMM_WORLD, &requests[n]);
      MPI_Isend(payload, bytes, MPI_BYTE, neighbours[n], n, MPI_COMM_WORLD, &requests[4 + n]);
    }
    MPI_Waitall(8, requests.data(), MPI_STATUSES_IGNORE);
  }
  const double mine = MPI_Wtime() - start;
  double slowest = 0;
  MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    strata::programs::report("time", slowest, "s");
    strata::programs::report("messages", 4.0 * size * iterations, "");
  }
  strata::mpix::free_payload(payload);
  MPI_Finalize();
  return 0;
}
