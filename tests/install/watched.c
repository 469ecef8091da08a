// SPDX-License-Identifier: LGPL-2.1-only
/* A ring of messages, monitored by a session. Prints how many messages and bytes each rank has sent to each other
 * rank. With FORTRAN defined, the same as two functions for a Fortran main program. */
#include <MPI_Monitoring.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void must(int code) {
  if (code == MPI_SUCCESS) return;
  printf("%s\n", MPI_M_error_string(code));
  usleep(100000); /* without it, MPICH's mpirun loses what was printed in a tenth of the runs */
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static MPI_M_msid watch(void) {
  MPI_M_msid id;
  must(MPI_M_init());
  must(MPI_M_start(MPI_COMM_WORLD, &id));
  return id;
}

static void report(MPI_M_msid id) {
  int rank, ranks;
  must(MPI_M_suspend(id));
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  must(MPI_M_get_info(id, MPI_M_INT_IGNORE, &ranks));
  unsigned long* counts = malloc(sizeof *counts * ranks * ranks);
  unsigned long* sizes = malloc(sizeof *sizes * ranks * ranks);
  must(MPI_M_rootgather_data(id, 0, counts, sizes, MPI_M_P2P_ONLY));
  for (int i = 0; rank == 0 && i < ranks * ranks; ++i) {
    if (counts[i] > 0) printf("%d > %d: %lu, %lu bytes\n", i / ranks, i % ranks, counts[i], sizes[i]);
  }
  free(counts);
  free(sizes);
  must(MPI_M_free(id));
  must(MPI_M_finalize());
}

#ifdef FORTRAN
/* One image of the program may contain several ranks, so each rank keeps its session in its own variable. */
void watch_(int* id) { *id = watch(); }
void report_(const int* id) { report(*id); }
#else
int main(int argc, char** argv) {
  int rank, ranks, in = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const MPI_M_msid id = watch();
  for (int round = 0; round < 3; ++round) {
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, &in, 1, MPI_INT, (rank + ranks - 1) % ranks, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  report(id);
  MPI_Finalize();
  return 0;
}
#endif
