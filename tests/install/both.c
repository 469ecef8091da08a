// SPDX-License-Identifier: LGPL-2.1-only
/* A user's program that calls both the library and MPI's Cartesian functions, with the shim. Communicators of either
 * work with both. Rank 0 prints. */
#include <mpi.h>
#include <mpix.h>
#include <stdio.h>

/* Whether MPI's function and the library's name the same first partners. */
static int same_partners(MPI_Comm mesh) {
  int by_mpi[2] = {-7, -7}, by_library[2] = {-8, -8};
  MPI_Cart_shift(mesh, 0, 1, &by_mpi[0], &by_mpi[1]);
  MPIX_Nodecart_shift(mesh, 0, 1, &by_library[0], &by_library[1]);
  return by_mpi[0] == by_library[0] && by_mpi[1] == by_library[1];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int dims[1] = {size}, periods[1] = {1};
  MPI_Comm meshes[2];
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &meshes[0]);
  MPIX_Nodecart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &meshes[1]);
  for (int i = 0; i < 2; i++) {
    char* method;
    long off_node;
    MPIX_Nodecart_get_mapping(meshes[i], &method, NULL, &off_node);
    int same = same_partners(meshes[i]), all_same;
    MPI_Reduce(&same, &all_same, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("method %s, %ld off-node, same partners: %s\n", method, off_node, all_same ? "yes" : "no");
    MPI_Comm_free(&meshes[i]);
  }
  MPI_Finalize();
  return 0;
}
