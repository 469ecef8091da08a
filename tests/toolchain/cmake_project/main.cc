// SPDX-License-Identifier: LGPL-2.1-only
#include <mpi.h>
#include <unistd.h>

#include <cstdio>

extern "C" int count(void);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i <= rank; ++i) sleep(1);
  count();
  std::fprintf(stdout, "rank %d: %d calls, %.1f s\n", rank, count(), MPI_Wtime());
  MPI_Finalize();
  return 0;
}
