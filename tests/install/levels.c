// SPDX-License-Identifier: LGPL-2.1-only
/* A user's program for `strata run`: measures how many levels of the hierarchy rank 0 has. */
#include <mpi.h>
#include <mpix.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, depth;
  MPIX_Hierarchy hierarchy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &hierarchy);
  MPIX_Hierarchy_depth(hierarchy, &depth);
  if (rank == 0) printf("@strata {\"metric\":\"levels\",\"value\":%d,\"unit\":\"1\"}\n", depth);
  MPIX_Hierarchy_free(&hierarchy);
  MPI_Finalize();
  return 0;
}
