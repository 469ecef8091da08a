// SPDX-License-Identifier: LGPL-2.1-only
/* A reduction that overlaps with computation: progress threads execute the upper levels of its tree, and the
 * application's threads the lowest ones, as many as the model finds best. Rank 0 prints the result and reports the
 * time to `strata run`.
 *
 *   overlap [numa|bind|odd-even|none|PUs]      where the progress threads run */
#include <mpi.h>
#include <mpix.h>
#include <stdio.h>
#include <stdlib.h>

enum { kElements = 1 << 18 };

/* Work that does not depend on the sum. */
static double compute(void) {
  double x = 1;
  for (int i = 0; i < 1000000; i++) x = 0.5 * x + 0.25;
  return x;
}

static void reduce_and_compute(MPI_Comm application) {
  int rank, size, communication_cores, cores, steps;
  const char* cpuset;
  MPI_Comm_rank(application, &rank);
  MPI_Comm_size(application, &size);
  MPIX_Progress_get(&communication_cores, &cores, &cpuset);

  double* mine = malloc(kElements * sizeof *mine);
  double* sum = malloc(kElements * sizeof *sum);
  for (int i = 0; i < kElements; i++) mine[i] = rank + i;

  MPIX_Request request;
  const double start = MPI_Wtime();
  MPIX_Ireduce(mine, sum, kElements, MPI_DOUBLE, MPI_SUM, 0, application, &request);
  MPIX_Request_get_steps(request, &steps);
  const double x = compute();
  MPIX_Wait(&request);
  const double seconds = MPI_Wtime() - start;

  if (rank == 0) {
    printf("%d ranks, %d communication cores, %d levels of the tree by the application\n", size, communication_cores,
           steps);
    printf("sum of the last: %.0f, computed: %.1f\n", sum[kElements - 1], x);
    printf("@strata {\"metric\":\"time\",\"value\":%.17g,\"unit\":\"s\"}\n", seconds);
  }
  free(mine);
  free(sum);
}

int main(int argc, char** argv) {
  int threads;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
  MPI_Info info;
  MPI_Info_create(&info);
  if (argc > 1) MPI_Info_set(info, "mpix_placement", argv[1]);

  /* Under SMPI, half of the ranks are progress threads. They work inside this call and get MPI_COMM_NULL. */
  MPI_Comm application;
  MPIX_Progress_start(MPI_COMM_WORLD, info, &application);
  if (application != MPI_COMM_NULL) reduce_and_compute(application);
  MPIX_Progress_stop(&application);

  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
