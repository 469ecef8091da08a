// SPDX-License-Identifier: LGPL-2.1-only
// Measures half a round trip between ranks 0 and 1 (s) for each of several sizes.
//
//   pingpong --bytes 0,1024,1048576
#include <mpi.h>

#include <string>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"

namespace {

void send(void* buffer, int bytes, int to) {
  MPI_Request request;  // nonblocking, because SMPI then charges the send overhead for all sizes
  MPI_Isend(buffer, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void receive(void* buffer, int bytes, int from) {
  MPI_Recv(buffer, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::vector<int> sizes;
  strata::cli::App app("pingpong");
  app.add_option("--bytes", sizes)->delimiter(',')->required()->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const int bytes : sizes) {
    void* buffer = strata::mpix::allocate_payload(static_cast<std::size_t>(bytes));
    const double start = strata::mpix::start_together(MPI_COMM_WORLD);
    if (rank == 0) {
      send(buffer, bytes, 1);
      receive(buffer, bytes, 1);
      strata::programs::report("time", (MPI_Wtime() - start) / 2, "s", "\"bytes\":" + std::to_string(bytes));
      send(buffer, 0, 1);
    } else if (rank == 1) {
      receive(buffer, bytes, 0);
      send(buffer, bytes, 0);
      receive(buffer, 0, 0);  // wait for the message here, so that the next one does not share its links
    }
    strata::mpix::free_payload(buffer);
  }
  MPI_Finalize();
  return 0;
}
