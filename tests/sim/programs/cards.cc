// SPDX-License-Identifier: LGPL-2.1-only
// Rank 0 sends 10,000 bytes to rank 1 and, every microsecond while they are under way, reads the counters of its node's
// network card; all ranks read theirs at the end. Each reading is a line:
// {"rank":0,"at":S,"sent":N,"received":N,"error":CODE}.
#include <mpi.h>

#include <cstdio>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/mpix.h"

namespace {

void tell(int rank, double start) {
  unsigned long sent = 0, received = 0, again = 0;
  int error = MPIX_Get_network_bytes(&sent, &received);
  if (error == MPI_SUCCESS) error = MPIX_Get_network_bytes(nullptr, &again);
  if (again != received) error = MPI_ERR_OTHER;
  std::printf("@strata {\"rank\":%d,\"at\":%.17g,\"sent\":%lu,\"received\":%lu,\"error\":%d}\n", rank,
              MPI_Wtime() - start, sent, received, error);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  std::vector<char> buffer(10'000);
  MPI_Request request = MPI_REQUEST_NULL;
  const double start = strata::mpix::start_together(MPI_COMM_WORLD);
  if (rank == 0) tell(rank, start);
  if (rank == 1) MPI_Irecv(buffer.data(), 10'000, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
  if (rank == 0) {
    MPI_Isend(buffer.data(), 10'000, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 12; ++i) {
      tell(rank, start);
      strata::mpix::charge_seconds(1e-6);
    }
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  strata::mpix::let_others_finish(MPI_COMM_WORLD);
  tell(rank, start);
  MPI_Finalize();
  return 0;
}
