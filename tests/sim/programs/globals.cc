// SPDX-License-Identifier: LGPL-2.1-only
// Each rank adds to its own copy of a global counter, as in a process of its own; rank 0 reports the counters of all
// ranks. If ranks shared one image, they would share the counter.
#include <mpi.h>

#include <cstdio>
#include <vector>

int counter = 100;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int calls = 0;
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i <= rank; ++i) {
    ++counter;
    ++calls;
    MPI_Barrier(MPI_COMM_SELF);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const int mine[2] = {counter, calls};
  std::vector<int> all(2 * size);
  MPI_Gather(mine, 2, MPI_INT, all.data(), 2, MPI_INT, 0, MPI_COMM_WORLD);
  for (int r = 0; rank == 0 && r < size; ++r) {
    std::printf("@strata {\"metric\":\"counter of %d\",\"value\":%d,\"unit\":\"\"}\n", r, all[2 * r]);
    std::printf("@strata {\"metric\":\"calls of %d\",\"value\":%d,\"unit\":\"\"}\n", r, all[2 * r + 1]);
  }
  if (rank == 0) std::printf("@strata {\"metric\":\"time\",\"value\":1,\"unit\":\"s\"}\n");
  std::fflush(stdout);
  MPI_Finalize();
  return 0;
}
