/* SPDX-License-Identifier: LGPL-2.1-only
 *
 * Times one call of a collective for several sizes, from a barrier until the last rank has left it, and prints
 *
 *     1024 1.25e-05        bytes of each rank, s
 *
 * The first call with each size is not timed: libraries set up their communicators in it. In simulated time one call is
 * exact. The argument is bcast or allreduce (of int, MPI_SUM).
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, is_bcast, bytes;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  is_bcast = argc > 1 && strcmp(argv[1], "bcast") == 0;
  int* const in = calloc(1 << 20, 4);
  int* const out = calloc(1 << 20, 4);
  for (bytes = 4; bytes <= 4 << 20; bytes *= 4) {
    double taken = 0, most = 0;
    for (int round = 0; round < 2; ++round) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      if (is_bcast) {
        MPI_Bcast(in, bytes / 4, MPI_INT, 0, MPI_COMM_WORLD);
      } else {
        MPI_Allreduce(in, out, bytes / 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      }
      taken = MPI_Wtime() - begin;
    }
    MPI_Reduce(&taken, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d %.9g\n", bytes, most);
  }
  MPI_Finalize();
  return 0;
}
