// SPDX-License-Identifier: LGPL-2.1-only
/* A program that monitors itself and reorders its ranks while it runs (Jeannot and Sartori, PDSEC 2020, Figure 1).
 * It monitors the first iteration, reorders the ranks so that pairs that exchange many bytes are close,
 * redistributes the data, and continues with the other iterations. Rank 0 prints the result and reports the time of
 * an iteration after that to `strata run`.
 *
 *   reorder [treematch|scotch|roundrobin|random|identity]     the algorithm */
#include <MPI_Monitoring.h>
#include <mpi.h>
#include <mpix.h>
#include <stdio.h>
#include <stdlib.h>

enum { kElements = 10000, kIterations = 20 };

/* Each rank exchanges its data with the rank half of the ranks away, and averages both. */
static void compute_iteration(double* data, double* other, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int partner = (rank + size / 2) % size;
  MPI_Sendrecv(data, kElements, MPI_DOUBLE, partner, 0, other, kElements, MPI_DOUBLE, MPI_ANY_SOURCE, 0, comm,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < kElements; i++) data[i] = (data[i] + other[i]) / 2;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1) setenv("MPIX_REORDER_ALGORITHM", argv[1], 1);
  int size, rank, new_rank;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double* data = malloc(kElements * sizeof *data);
  double* other = malloc(kElements * sizeof *other);
  for (int i = 0; i < kElements; i++) data[i] = rank;

  /* Monitor the first iteration. */
  MPI_M_msid id;
  const int watches = MPI_M_init();
  if (watches != MPI_SUCCESS) {
    if (rank == 0) fprintf(stderr, "reorder: %s\n", MPI_M_error_string(watches));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_M_start(MPI_COMM_WORLD, &id);
  compute_iteration(data, other, MPI_COMM_WORLD);
  MPI_M_suspend(id);
  unsigned long* matrix = rank == 0 ? malloc((size_t)size * size * sizeof *matrix) : NULL;
  MPI_M_rootgather_data(id, 0, MPI_M_DATA_IGNORE, matrix, MPI_M_P2P_ONLY);
  MPI_M_free(id);
  MPI_M_finalize();

  /* Make the new order, and move the data accordingly. */
  MPI_Comm comm;
  MPIX_Comm_reorder(MPI_COMM_WORLD, matrix, &comm);
  MPIX_Comm_redistribute(data, other, kElements, MPI_DOUBLE, comm);
  double* redistributed = other;
  other = data;
  data = redistributed;
  MPI_Comm_rank(comm, &new_rank); /* from here on, use this rank */

  const double start = MPI_Wtime();
  for (int i = 1; i < kIterations; i++) compute_iteration(data, other, comm);
  const double seconds = (MPI_Wtime() - start) / (kIterations - 1);

  /* From the first iteration on, rank r and its partner have the average of both: no data are lost or mixed up. */
  const int low = new_rank % (size / 2 > 0 ? size / 2 : 1);
  int wrong = size % 2 == 0 && data[kElements - 1] != low + size / 4.0, moved = new_rank != rank, sums[2];
  const int mine[2] = {wrong, moved};
  MPI_Reduce(mine, sums, 2, MPI_INT, MPI_SUM, 0, comm);
  if (new_rank == 0) {
    printf("%d of %d ranks are on another process, %d have wrong data\n", sums[1], size, sums[0]);
    printf("@strata {\"metric\":\"time\",\"value\":%.17g,\"unit\":\"s\"}\n", seconds);
  }
  MPI_Comm_free(&comm);
  free(matrix);
  free(data);
  free(other);
  MPI_Finalize();
  return 0;
}
