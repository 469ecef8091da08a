// SPDX-License-Identifier: LGPL-2.1-only
/* A program that uses only MPI: a halo exchange on a periodic two-dimensional mesh of processes. Each process is one
 * cell and sends copies of its value to its four neighbours. With the shim preloaded, its MPI_Cart_create, which may
 * reorder, keeps neighbours on the same node. The sum stays the same, but the time changes.
 *
 *   plain_halo [--elements N] [--sweeps N] [--partners 1]
 *
 * A message has N ints. --partners shows which processes exchange messages, as ranks of MPI_COMM_WORLD. Rank 0
 * prints the result and reports the time to `strata run`. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSides = 4 };

static int option(int argc, char** argv, const char* name, int otherwise) {
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], name) == 0) return atoi(argv[i + 1]);
  }
  return otherwise;
}

/* Sends `value` to all neighbours, and receives their values. */
static void exchange(MPI_Comm mesh, int value, int elements, int* out, int* in, int from[kSides]) {
  MPI_Request requests[2 * kSides];
  for (int i = 0; i < elements; i++) out[i] = value;
  for (int d = 0; d < 2; d++) {
    int sides[2];
    MPI_Cart_shift(mesh, d, 1, &sides[0], &sides[1]);
    for (int s = 0; s < 2; s++) {
      const int k = 2 * d + s;
      MPI_Irecv(in + k * elements, elements, MPI_INT, sides[s], k, mesh, &requests[k]);
      MPI_Isend(out, elements, MPI_INT, sides[1 - s], k, mesh, &requests[kSides + k]);
    }
  }
  MPI_Status statuses[2 * kSides];
  MPI_Waitall(2 * kSides, requests, statuses);
  for (int k = 0; k < kSides; k++) from[k] = in[(k + 1) * elements - 1];
}

/* Prints a line for each process of MPI_COMM_WORLD, with its neighbours. */
static void show_partners(const int mine[kSides]) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int* all = malloc(kSides * sizeof *all * size);
  MPI_Gather(mine, kSides, MPI_INT, all, kSides, MPI_INT, 0, MPI_COMM_WORLD);
  for (int r = 0; rank == 0 && r < size; r++) {
    const int* p = all + kSides * r;
    printf("process %d: partners %d %d %d %d\n", r, p[0], p[1], p[2], p[3]);
  }
  free(all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int elements = option(argc, argv, "--elements", 1), sweeps = option(argc, argv, "--sweeps", 10);
  int world_rank, size, rank, dims[2] = {0, 0}, coords[2], partners[kSides];
  const int periods[2] = {1, 1};
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm mesh;
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &mesh);
  MPI_Comm_rank(mesh, &rank);
  MPI_Cart_coords(mesh, rank, 2, coords);

  int* out = malloc(sizeof *out * elements);
  int* in = malloc(kSides * sizeof *in * elements);
  exchange(mesh, world_rank, elements, out, in, partners);
  if (option(argc, argv, "--partners", 0)) show_partners(partners);

  /* The value depends on the position of the cell, not on the process that has it. */
  int value = 7 * coords[0] + 3 * coords[1], beside[kSides];
  MPI_Barrier(mesh);
  const double start = MPI_Wtime();
  for (int i = 0; i < sweeps; i++) {
    exchange(mesh, value, elements, out, in, beside);
    value = (value + beside[0] + 2 * beside[1] + 3 * beside[2] + 4 * beside[3]) % 1009;
  }
  const double mine = (MPI_Wtime() - start) / sweeps;

  int sum;
  double seconds;
  MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine, &seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (world_rank == 0) {
    printf("%d x %d processes, sum after %d sweeps: %d\n", dims[0], dims[1], sweeps, sum);
    printf("@strata {\"metric\":\"time\",\"value\":%.17g,\"unit\":\"s\"}\n", seconds);
  }
  free(in);
  free(out);
  MPI_Comm_free(&mesh);
  MPI_Finalize();
  return 0;
}
