// SPDX-License-Identifier: LGPL-2.1-only
/* A halo exchange in two dimensions: each process has a square of a periodic field, and gets its neighbours' edges
 * with one call per step. The communicator keeps neighbours on the same node if possible. Rank 0 prints the result
 * and reports the time of a step to `strata run`.
 *
 *   halo [auto|nodecart|multilevel|blocks|hyperplane|kdtree|strips|cart]     the mapping of processes */
#include <mpi.h>
#include <mpix.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSide = 256, kSteps = 16, kNeighbours = 4 }; /* elements along a square's edge; up, down, left, right */

/* The average of a square and the halos around it. */
static double average(const double* mine, const double* halo) {
  double sum = 0;
  for (int i = 0; i < kNeighbours * kSide; i++) sum += mine[i] + halo[i];
  return sum / (2 * kNeighbours * kSide);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size, rank, dims[2] = {0, 0};
  const int periods[2] = {1, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Info info;
  MPI_Info_create(&info);
  if (argc > 1) MPI_Info_set(info, "mpix_cart_method", argv[1]);
  MPIX_Comm_set_nodecart(MPI_COMM_WORLD, info);
  MPI_Info_free(&info);

  /* Dimensions and order that take the nodes into account. */
  MPI_Comm cart;
  MPIX_Nodecart_dims_create(MPI_COMM_WORLD, size, 2, dims);
  MPIX_Nodecart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart);
  MPI_Comm_rank(cart, &rank); /* from here on, use the rank in `cart` */

  double* edges = malloc(kNeighbours * kSide * sizeof *edges);
  double* halo = malloc(kNeighbours * kSide * sizeof *halo);
  for (int i = 0; i < kNeighbours * kSide; i++) edges[i] = rank;

  const double start = MPI_Wtime();
  for (int step = 0; step < kSteps; step++) {
    MPIX_Neighbor_alltoall(edges, kSide, MPI_DOUBLE, halo, kSide, MPI_DOUBLE, cart);
    const double value = average(edges, halo);
    for (int i = 0; i < kNeighbours * kSide; i++) edges[i] = value;
  }
  const double seconds = (MPI_Wtime() - start) / kSteps;

  /* Diffusion conserves the sum, so the average over all squares stays the same. */
  double sum = 0;
  MPI_Reduce(edges, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, cart);
  char* method;
  long on_node, off_node;
  MPIX_Nodecart_get_mapping(cart, &method, &on_node, &off_node);
  if (rank == 0) {
    printf("%d x %d processes by %s: %ld partners on the same node, %ld on others\n", dims[0], dims[1], method, on_node,
           off_node);
    printf("average: %.6f\n", sum / size);
    printf("@strata {\"metric\":\"time\",\"value\":%.17g,\"unit\":\"s\"}\n", seconds);
  }
  free(edges);
  free(halo);
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
