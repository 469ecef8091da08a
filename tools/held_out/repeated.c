// SPDX-License-Identifier: LGPL-2.1-only
/* Measures a collective as the OSU micro-benchmarks do, for a real MPI library that `strata exec` runs:
 *
 *   repeated bcast 10 4,1024           prints "4 2.51" and "1024 3.02": B, and us of a repetition, the mean over ranks
 *
 *   repeated bcast 10 4,1024 together  starts each repetition at the same time on all ranks
 *
 * One repetition before those of each size is not measured. A barrier follows each repetition and is not measured. The
 * root is rank 0. The size is that of the vector of bcast, allreduce and reduce (floats), and of one rank's block of
 * allgather, alltoall, gather and scatter. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *sent, *received; /* both hold a block for each rank */

static void once(const char* operation, int bytes) {
  const MPI_Comm world = MPI_COMM_WORLD;
  const int floats = bytes / (int)sizeof(float);
  if (strcmp(operation, "bcast") == 0) {
    MPI_Bcast(sent, bytes, MPI_CHAR, 0, world);
  } else if (strcmp(operation, "allgather") == 0) {
    MPI_Allgather(sent, bytes, MPI_CHAR, received, bytes, MPI_CHAR, world);
  } else if (strcmp(operation, "allreduce") == 0) {
    MPI_Allreduce(sent, received, floats, MPI_FLOAT, MPI_SUM, world);
  } else if (strcmp(operation, "alltoall") == 0) {
    MPI_Alltoall(sent, bytes, MPI_CHAR, received, bytes, MPI_CHAR, world);
  } else if (strcmp(operation, "gather") == 0) {
    MPI_Gather(sent, bytes, MPI_CHAR, received, bytes, MPI_CHAR, 0, world);
  } else if (strcmp(operation, "reduce") == 0) {
    MPI_Reduce(sent, received, floats, MPI_FLOAT, MPI_SUM, 0, world);
  } else if (strcmp(operation, "scatter") == 0) {
    MPI_Scatter(sent, bytes, MPI_CHAR, received, bytes, MPI_CHAR, 0, world);
  } else {
    fprintf(stderr, "repeated: unknown operation '%s'\n", operation);
    MPI_Abort(world, 2);
  }
}

/* In virtual time the clocks of all ranks agree. */
static void start_together(void) {
  const double period = 1; /* s, longer than any repetition */
  const double now = MPI_Wtime();
  const double next = ((long)(now / period) + 1) * period;
  while (MPI_Wtime() < next) usleep((useconds_t)(1e6 * (next - MPI_Wtime())) + 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 4) {
    fprintf(stderr, "usage: repeated OPERATION REPETITIONS BYTES[,BYTES...] [together]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int rank, size, most = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int repetitions = atoi(argv[2]), together = argc > 4;
  for (const char* at = argv[3]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    if (atoi(at) > most) most = atoi(at);
  }
  /* Pages that no one writes are one page of zeros, and ranks with long buffers fit into this computer. */
  sent = calloc(size, most);
  received = calloc(size, most);
  for (const char* at = argv[3]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    const int bytes = atoi(at);
    double seconds = 0, sum = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = -1; i < repetitions; ++i) {
      if (together) start_together();
      const double start = MPI_Wtime();
      once(argv[1], bytes);
      if (i >= 0) seconds += MPI_Wtime() - start;
      MPI_Barrier(MPI_COMM_WORLD);
    }
    seconds /= repetitions;
    MPI_Reduce(&seconds, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d %.9g\n", bytes, 1e6 * sum / size);
  }
  free(sent);
  free(received);
  MPI_Finalize();
  return 0;
}
