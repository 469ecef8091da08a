// SPDX-License-Identifier: LGPL-2.1-only
/* A halo exchange: the ranks form a periodic grid, and each swaps a row of numbers with its four neighbours.
 *
 *     smpicc -o halo scenarios/examples/halo.c
 *     ./strata run scenarios/examples/halo.yaml --set program=./halo
 *
 * To be measured by `strata run`, a program needs two things: it takes the sweep's parameters as `--name value`, and
 * prints a line that starts with @strata and contains its measurements. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSweeps = 10 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int doubles = 1000;
  for (int i = 1; i + 1 < argc; i += 2)
    if (strcmp(argv[i], "--doubles") == 0) doubles = atoi(argv[i + 1]);

  int size, dims[2] = {0, 0}, periods[2] = {1, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  double* sent = calloc(doubles, sizeof *sent);
  double* received = calloc(doubles, sizeof *received);

  MPI_Barrier(grid);
  double start = MPI_Wtime();
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int dimension = 0; dimension < 2; ++dimension)
      for (int step = -1; step <= 1; step += 2) {
        int from, to;
        MPI_Cart_shift(grid, dimension, step, &from, &to);
        MPI_Sendrecv(sent, doubles, MPI_DOUBLE, to, 0, received, doubles, MPI_DOUBLE, from, 0, grid, MPI_STATUS_IGNORE);
      }
  double mine = (MPI_Wtime() - start) / kSweeps, slowest;
  MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, grid);

  int rank;
  MPI_Comm_rank(grid, &rank);
  if (rank == 0) printf("@strata {\"metric\":\"time\",\"value\":%.17g,\"unit\":\"s\"}\n", slowest);
  free(sent);
  free(received);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
