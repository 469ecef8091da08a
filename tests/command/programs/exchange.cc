// SPDX-License-Identifier: LGPL-2.1-only
// All kinds of messages that other trace formats can express: blocking and nonblocking, short and long, out of order,
// in collectives of all ranks and of half of them; and computation.
#include <mpi.h>
#include <smpi/smpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (const int bytes : {8, 2000, 300000}) {
    std::vector<char> out(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(size)), in(out.size());
    for (int round = 0; round < 3; ++round) {
      smpi_execute_flops(1e5 * (rank + round));
      MPI_Sendrecv(out.data(), bytes, MPI_CHAR, next, 1, in.data(), bytes, MPI_CHAR, before, 1, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      MPI_Request requests[4];
      MPI_Isend(out.data(), bytes, MPI_CHAR, next, 2, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(out.data() + bytes, bytes, MPI_CHAR, next, 3, MPI_COMM_WORLD, &requests[1]);
      MPI_Irecv(in.data(), bytes, MPI_CHAR, before, 3, MPI_COMM_WORLD, &requests[2]);
      MPI_Irecv(in.data() + bytes, bytes, MPI_CHAR, before, 2, MPI_COMM_WORLD, &requests[3]);
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
      if (rank % 2 == 0 && next != 0) MPI_Send(out.data(), bytes, MPI_CHAR, next, 4, MPI_COMM_WORLD);
      if (rank % 2 == 1) MPI_Recv(in.data(), bytes, MPI_CHAR, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Bcast(out.data(), bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
      MPI_Allreduce(out.data(), in.data(), bytes / 8, MPI_DOUBLE, MPI_SUM, half);
      MPI_Alltoall(out.data(), bytes, MPI_CHAR, in.data(), bytes, MPI_CHAR, half);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
