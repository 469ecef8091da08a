// SPDX-License-Identifier: LGPL-2.1-only
// A loop whose number of iterations is the argument. SMPI runs only some of them; each rank prints how many.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double sum = 0;

int main(int argc, char** argv) {
  const int iterations = atoi(argv[1]);
  int rank, run = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  SMPI_SAMPLE_LOCAL(int i = 0, i < iterations, ++i, 10, 0.05) {
    for (int k = 0; k < 200000; ++k) sum = sum + k;
    ++run;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d\n", run);
  MPI_Finalize();
  return 0;
}
