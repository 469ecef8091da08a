// SPDX-License-Identifier: LGPL-2.1-only
/* The levels of the machine on which this program runs, and a broadcast and a reduction along them. Rank 0 prints. */
#include <mpi.h>
#include <mpix.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  /* The object that contains ranks 0 and 1. Every process passes its own list. */
  const int two[2] = {0, 1};
  char* type;
  MPIX_Comm_get_min_hlevel(MPI_COMM_WORLD, size < 2 ? size : 2, two, &type);
  if (rank == 0) printf("%d ranks, ranks 0 and 1 meet in: %s\n", size, type);

  /* For each level: this process's communicator, and the communicator of the roots on this level. */
  MPIX_Hierarchy hierarchy;
  MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &hierarchy);
  int depth;
  MPIX_Hierarchy_depth(hierarchy, &depth);
  for (int level = 0; level < depth; level++) {
    MPI_Comm comm, roots;
    int members, siblings, index, root_rank = -1;
    MPIX_Hierarchy_level(hierarchy, level, &comm, &roots);
    MPI_Comm_size(comm, &members);
    MPIX_Comm_get_hlevel_info(comm, &siblings, &index, &type);
    if (roots != MPI_COMM_NULL) MPI_Comm_rank(roots, &root_rank);
    if (rank == 0) {
      printf("level %d: %s %d of %d, %d ranks, root %d\n", level, type, index, siblings, members, root_rank);
    }
  }

  /* Over the hierarchy, a message crosses each level once per part instead of once per process. */
  double values[4] = {rank == 0 ? 1 : 0, rank == 0 ? 2 : 0, rank == 0 ? 3 : 0, rank == 0 ? 4 : 0}, sums[4] = {0};
  MPIX_Hierarchy_bcast(values, 4, MPI_DOUBLE, 0, hierarchy, MPIX_ALGORITHM_BINOMIAL, 0);
  for (int i = 0; i < 4; i++) values[i] += rank;
  MPIX_Hierarchy_reduce(values, sums, 4, MPI_DOUBLE, MPI_SUM, 0, hierarchy, MPIX_ALGORITHM_BINOMIAL, 0);
  if (rank == 0) printf("sums: %.0f %.0f %.0f %.0f\n", sums[0], sums[1], sums[2], sums[3]);

  MPIX_Hierarchy_free(&hierarchy);
  MPI_Finalize();
  return 0;
}
