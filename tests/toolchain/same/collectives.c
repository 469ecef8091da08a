// SPDX-License-Identifier: LGPL-2.1-only
// Every collective without elements, and with enough of them that MPIs use their algorithms for long messages. All
// numbers are integers; rank 0 prints sums.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Elements for each rank, and where they are.
typedef struct {
  int rank, size, count;
  double *from, *to;
  int *counts, *places, *bytes;
  MPI_Datatype* types;
} Data;

static double sum_of(const Data* d) {
  double sum = 0, all = 0;
  for (long i = 0; i < (long)d->size * d->count; ++i) sum += d->to[i] * (double)(i % 7 + 1);
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

#define RUN(call)                                                            \
  do {                                                                       \
    memset(d.to, 0, (size_t)d.size* d.count * sizeof *d.to);                 \
    MPI_Request request = MPI_REQUEST_NULL;                                  \
    call;                                                                    \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                                   \
    const double sum = sum_of(&d);                                           \
    if (d.rank == 0) printf("%d elements, %.28s %.0f\n", count, #call, sum); \
  } while (0)

static void run_all(int count) {
  const MPI_Comm all = MPI_COMM_WORLD;
  const MPI_Datatype type = MPI_DOUBLE;
  Data d = {.count = count};
  MPI_Comm_rank(all, &d.rank);
  MPI_Comm_size(all, &d.size);
  const size_t length = (size_t)d.size * (size_t)count, ranks = (size_t)d.size;
  d.from = malloc((length + 1) * sizeof *d.from);
  d.to = malloc((length + 1) * sizeof *d.to);
  d.counts = malloc(ranks * sizeof *d.counts);
  d.places = malloc(ranks * sizeof *d.places);
  d.bytes = malloc(ranks * sizeof *d.bytes);
  d.types = malloc(ranks * sizeof(MPI_Datatype));
  for (size_t i = 0; i < length; ++i) d.from[i] = (double)((i * 31 + (size_t)d.rank * 17) % 101);
  for (int r = 0; r < d.size; ++r) {
    d.counts[r] = count;
    d.places[r] = r * count;
    d.bytes[r] = r * count * (int)sizeof(double);
    d.types[r] = type;
  }
  const int last = d.size - 1;
  RUN(MPI_Bcast(d.from, count, type, last, all));
  RUN(MPI_Reduce(d.from, d.to, count, type, MPI_SUM, last, all));
  RUN(MPI_Allreduce(d.from, d.to, count, type, MPI_MAX, all));
  RUN(MPI_Scan(d.from, d.to, count, type, MPI_SUM, all));
  RUN(MPI_Gather(d.from, count, type, d.to, count, type, last, all));
  RUN(MPI_Gatherv(d.from, count, type, d.to, d.counts, d.places, type, last, all));
  RUN(MPI_Scatter(d.from, count, type, d.to, count, type, last, all));
  RUN(MPI_Scatterv(d.from, d.counts, d.places, type, d.to, count, type, last, all));
  RUN(MPI_Allgather(d.from, count, type, d.to, count, type, all));
  RUN(MPI_Allgatherv(d.from, count, type, d.to, d.counts, d.places, type, all));
  RUN(MPI_Alltoall(d.from, count, type, d.to, count, type, all));
  RUN(MPI_Alltoallv(d.from, d.counts, d.places, type, d.to, d.counts, d.places, type, all));
  RUN(MPI_Alltoallw(d.from, d.counts, d.bytes, d.types, d.to, d.counts, d.bytes, d.types, all));
  RUN(MPI_Reduce_scatter(d.from, d.to, d.counts, type, MPI_SUM, all));
  RUN(MPI_Reduce_scatter_block(d.from, d.to, count, type, MPI_SUM, all));
  RUN(MPI_Ibcast(d.from, count, type, last, all, &request));
  RUN(MPI_Ireduce(d.from, d.to, count, type, MPI_SUM, last, all, &request));
  RUN(MPI_Iallreduce(d.from, d.to, count, type, MPI_SUM, all, &request));
  RUN(MPI_Iallgather(d.from, count, type, d.to, count, type, all, &request));
  RUN(MPI_Iallgatherv(d.from, count, type, d.to, d.counts, d.places, type, all, &request));
  RUN(MPI_Ialltoall(d.from, count, type, d.to, count, type, all, &request));
  RUN(MPI_Ireduce_scatter_block(d.from, d.to, count, type, MPI_SUM, all, &request));
  free(d.from);
  free(d.to);
  free(d.counts);
  free(d.places);
  free(d.bytes);
  free(d.types);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  run_all(0);
  run_all(100000);
  MPI_Finalize();
  return 0;
}
