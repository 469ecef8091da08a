// SPDX-License-Identifier: LGPL-2.1-only
/* Ends as its argument says. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = -1, codes[1];
  static int word[1000000];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* const how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "spawn") == 0) {
    MPI_Comm children;
    MPI_Comm_spawn("worker", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes);
  }
  if (strcmp(how, "truncate") == 0 && rank == 0) MPI_Send(word, 1000000, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (strcmp(how, "truncate") == 0 && rank == 1) MPI_Recv(word, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  /* The receive is first, and SMPI keeps short and long messages apart. */
  if (strcmp(how, "apart") == 0 && rank == 0) MPI_Recv(word, 2, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (strcmp(how, "apart") == 0 && rank == 1) MPI_Send(word, 1000000, MPI_INT, 0, 7, MPI_COMM_WORLD);
  if (strcmp(how, "rank") == 0 && rank == 1) MPI_Send(word, 1, MPI_INT, 17, 7, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
