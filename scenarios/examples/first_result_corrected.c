// SPDX-License-Identifier: LGPL-2.1-only
/* first_result.c without its mistake: results are received as they come, including the last worker's, and the number of
 * results shows when the work is done.
 *
 *     smpicc -g scenarios/examples/first_result_corrected.c -o first_result_corrected
 *     ./strata check --program ./first_result_corrected --np 3 */
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
    for (int worker = 1; worker < size; ++worker) {
      MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, kResult, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += result;
    }
    printf("sum %d\n", sum);
  }
  MPI_Finalize();
  return 0;
}
