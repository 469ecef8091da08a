// SPDX-License-Identifier: LGPL-2.1-only
/* Rank 0 is several persistent sends ahead of rank 1, and leaves its last message to MPI_Finalize. */
#include <mpi.h>
#include <stdio.h>

enum { kRounds = 4 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = -1, sum = 0;
  static int word[50000]; /* the last message is too long to be eager */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  if (rank == 0) {
    MPI_Send_init(word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (int round = 1; round <= kRounds; ++round) {
      word[0] = round;
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    word[0] = 100;
    MPI_Isend(word, 50000, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  }
  if (rank == 1) {
    for (int round = 1; round <= kRounds; ++round) {
      MPI_Recv(word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum = 10 * sum + word[0];
    }
    MPI_Recv(word, 50000, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %d\n", sum, word[0]);
  }
  MPI_Finalize();
  return 0;
}
