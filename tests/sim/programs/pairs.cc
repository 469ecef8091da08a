// SPDX-License-Identifier: LGPL-2.1-only
// Rank i sends to rank i + size/2, all at once. Each receiver reports the time at which its message arrived (s), with
// the number of its pair.
//
//   pairs --bytes B
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mpi_ext/adapter/measure.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int bytes = 0, rank = 0, size = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--bytes") == 0) bytes = std::atoi(argv[i + 1]);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  void* payload = strata::mpix::allocate_payload(static_cast<std::size_t>(bytes));
  const double start = strata::mpix::start_together(MPI_COMM_WORLD);
  MPI_Request request;
  if (rank < size / 2) {
    MPI_Isend(payload, bytes, MPI_BYTE, rank + size / 2, 0, MPI_COMM_WORLD, &request);
  } else {
    MPI_Irecv(payload, bytes, MPI_BYTE, rank - size / 2, 0, MPI_COMM_WORLD, &request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank >= size / 2) {
    std::printf("@strata {\"metric\":\"time\",\"value\":%.17g,\"unit\":\"s\",\"parameters\":{\"pair\":%d}}\n",
                MPI_Wtime() - start, rank - size / 2);
    std::fflush(stdout);
  }
  strata::mpix::free_payload(payload);
  MPI_Finalize();
  return 0;
}
