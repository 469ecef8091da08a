// SPDX-License-Identifier: LGPL-2.1-only
/* A message goes around a ring of all ranks, ten times. This is an ordinary MPI program without anything for Strata.
 * ring.yaml builds it, runs it and reads its output. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rounds = 10, bytes = argc > 1 ? atoi(argv[1]) : 8;
  char* message = calloc(bytes, 1);

  const double start = MPI_Wtime();
  for (int round = 0; round < rounds; ++round) {
    if (rank > 0) MPI_Recv(message, bytes, MPI_CHAR, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(message, bytes, MPI_CHAR, (rank + 1) % size, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(message, bytes, MPI_CHAR, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) {
    const double seconds = (MPI_Wtime() - start) / rounds;
    printf("%d ranks, %d bytes: %.4g us a round\n", size, bytes, 1e6 * seconds);
  }
  free(message);
  MPI_Finalize();
  return 0;
}
