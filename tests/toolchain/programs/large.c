// SPDX-License-Identifier: LGPL-2.1-only
// Allocates blocks of 2 MiB and more with malloc, calloc and realloc, and a small one, and prints which rank wrote into
// them.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLarge = 1 << 21 };

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* allocated = malloc(kLarge);
  char* cleared = calloc(kLarge, 2);
  char* grown = realloc(malloc(kLarge), 2 * kLarge);
  char* small = malloc(100);
  memset(allocated, rank, kLarge);
  memset(cleared, rank, kLarge);
  memset(grown, rank, kLarge);
  snprintf(small, 100, "small %d", rank);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("rank %d: %d %d %d %s\n", rank, allocated[0], cleared[kLarge - 1], grown[1], small);
  free(allocated);
  free(cleared);
  free(grown);
  free(small);
  MPI_Finalize();
  return 0;
}
