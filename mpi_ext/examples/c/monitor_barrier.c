// SPDX-License-Identifier: LGPL-2.1-only
/* The messages of a barrier: the program monitors its own messages during MPI_Barrier and MPIX_Barrier (Listing 1 of
 * Jeannot and Sartori, PDSEC 2020). Rank 0 prints their number for each pair of ranks.
 *
 *   monitor_barrier [NAME]     also writes NAME.prof and the matrices, for `strata matrix` and `strata map` */
#include <MPI_Monitoring.h>
#include <mpi.h>
#include <mpix.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints the matrix of the session's messages on rank 0. */
static void print_messages(MPI_M_msid id, const char* what) {
  int rank, provided, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_M_get_info(id, &provided, &size);
  unsigned long* messages = calloc((size_t)size * size, sizeof *messages);
  MPI_M_rootgather_data(id, 0, messages, MPI_M_DATA_IGNORE, MPI_M_P2P_ONLY);
  if (rank == 0) {
    printf("%s:\n", what);
    for (int from = 0; from < size; from++) {
      for (int to = 0; to < size; to++) printf(to == 0 ? "%lu" : " %lu", messages[from * size + to]);
      printf("\n");
    }
  }
  free(messages);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int error = MPI_M_init();
  if (error != MPI_SUCCESS) {
    fprintf(stderr, "%s\n", MPI_M_error_string(error));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  /* The library's first call on a communicator makes an internal communicator. Do this before monitoring. */
  MPIX_Barrier(MPI_COMM_WORLD, MPIX_ALGORITHM_LINEAR);

  MPI_M_msid of_mpi, of_mpix;
  MPI_M_start(MPI_COMM_WORLD, &of_mpi);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_M_suspend(of_mpi);

  MPI_M_start(MPI_COMM_WORLD, &of_mpix);
  MPIX_Barrier(MPI_COMM_WORLD, MPIX_ALGORITHM_RECURSIVE_DOUBLING);
  MPI_M_suspend(of_mpix);

  int provided;
  MPI_M_get_info(of_mpi, &provided, MPI_M_INT_IGNORE);
  print_messages(of_mpi,
                 provided & MPI_M_SEES_DECOMPOSED ? "MPI_Barrier" : "MPI_Barrier, whose messages nobody sees here");
  print_messages(of_mpix, "MPIX_Barrier by recursive doubling");
  if (argc > 1) MPI_M_rootflush(of_mpix, 0, argv[1], MPI_M_P2P_ONLY);

  MPI_M_free(MPI_M_ALL_MSID);
  MPI_M_finalize();
  MPI_Finalize();
  return 0;
}
