// SPDX-License-Identifier: LGPL-2.1-only
/* A thread of rank 1 that asks what it may, and then sends. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void* run(void* ignored) {
  int main_thread = -1, level = -1, initialized = -1, finalized = -1, word = 0;
  MPI_Is_thread_main(&main_thread);
  MPI_Query_thread(&level);
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  printf("%d %d %d %d %d\n", main_thread, level == MPI_THREAD_FUNNELED, initialized, finalized, MPI_Wtime() > 0);
  MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  return ignored;
}

int main(int argc, char** argv) {
  int provided = -1, rank = -1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
  }
  MPI_Finalize();
  return 0;
}
