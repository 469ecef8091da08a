// SPDX-License-Identifier: LGPL-2.1-only
/* A head and its workers. The head receives the workers' results in any order, except the last worker's. It asks for
 * that one by rank, as a sign that the work is done. This is right as long as the last worker answers last. If it does
 * not, its result is received among the others, and the head waits for a message that is never sent.
 *
 * Whether a run shows the error depends on the machine and on the day. With 3 ranks:
 *
 *     smpicc -g scenarios/examples/first_result.c -o first_result
 *     ./strata check --program ./first_result --np 3
 *
 * first_result_corrected.c is the same without the mistake. */
#include <mpi.h>
#include <stdio.h>

enum { kResult = 1 };

static int result_of(int worker) { return worker * worker; }

int main(int argc, char** argv) {
  int rank, size, result, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0) {
    result = result_of(rank);
    MPI_Send(&result, 1, MPI_INT, 0, kResult, MPI_COMM_WORLD);
  } else {
    for (int worker = 1; worker < size - 1; ++worker) {
      MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, kResult, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += result;
    }
    if (size > 1) {
      MPI_Recv(&result, 1, MPI_INT, size - 1, kResult, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += result;
    }
    printf("sum %d\n", sum);
  }
  MPI_Finalize();
  return 0;
}
