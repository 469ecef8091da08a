// SPDX-License-Identifier: LGPL-2.1-only
/* Collectives of named algorithms, written as messages, to predict measurements that name them. A plain MPI program:
 *
 *   schedules allgather ring 1024      prints "mean 12.3 us, slowest 13.4 us" of a repetition after a barrier
 *
 *   allgather   ring, recursive-doubling (2^k ranks), neighbor (an even number of ranks: pairs of blocks go around)
 *   alltoall    pairwise (in step k with rank + k and rank - k), linear (all at once)
 *
 * The size is the block of one rank (B). Blocks of a rank itself are where they belong, and cost nothing. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, bytes;
static char *sent, *received; /* of `size` blocks each */

static void exchange(char* out, int to, int count, char* in, int from, int count_in) {
  MPI_Sendrecv(out, count, MPI_BYTE, to, 0, in, count_in, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static char* block(int of) { return received + (size_t)((of + size) % size) * bytes; }

static void allgather_ring(void) {
  for (int step = 0; step < size - 1; ++step) {
    exchange(block(rank - step), (rank + 1) % size, bytes, block(rank - step - 1), (rank + size - 1) % size, bytes);
  }
}

static void allgather_recursive_doubling(void) {
  for (int reach = 1; reach < size; reach *= 2) {
    const int partner = rank ^ reach;
    exchange(block(rank & ~(reach - 1)), partner, reach * bytes, block(partner & ~(reach - 1)), partner, reach * bytes);
  }
}

/* In step 0 pairs swap their blocks. Then each rank alternates between its two neighbours, and passes on the two blocks
 * that it received last. */
static void allgather_neighbor(void) {
  const int even = rank % 2 == 0, left = (rank + size - 1) % size, right = (rank + 1) % size;
  const int first = even ? right : left, second = even ? left : right;
  exchange(block(rank), first, bytes, block(first), first, bytes);
  int mine = even ? rank : left; /* the first of two blocks to send */
  for (int step = 1; step < size / 2; ++step) {
    const int partner = step % 2 == 1 ? second : first;
    /* Each second step is with the same partner, and brings the pair that is two ranks further on in its direction. */
    const int distance = 2 * ((step + 1) / 2), towards = even == (step % 2 == 1) ? -distance : distance;
    const int theirs = ((even ? rank : left) + towards + size) % size;
    exchange(block(mine), partner, 2 * bytes, block(theirs), partner, 2 * bytes);
    mine = theirs;
  }
}

static void alltoall_pairwise(void) {
  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size, from = (rank + size - step) % size;
    exchange(sent + (size_t)to * bytes, to, bytes, block(from), from, bytes);
  }
}

static void alltoall_linear(void) {
  MPI_Request* all = malloc(2 * (size_t)size * sizeof *all);
  int count = 0;
  for (int step = 1; step < size; ++step) {
    const int from = (rank + step) % size;
    MPI_Irecv(block(from), bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, &all[count++]);
  }
  for (int step = 1; step < size; ++step) {
    const int to = (rank + size - step) % size;
    MPI_Isend(sent + (size_t)to * bytes, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, &all[count++]);
  }
  MPI_Waitall(count, all, MPI_STATUSES_IGNORE);
  free(all);
}

static const struct {
  const char *operation, *algorithm;
  void (*call)(void);
} kSchedules[] = {{"allgather", "ring", allgather_ring},
                  {"allgather", "recursive-doubling", allgather_recursive_doubling},
                  {"allgather", "neighbor", allgather_neighbor},
                  {"alltoall", "pairwise", alltoall_pairwise},
                  {"alltoall", "linear", alltoall_linear}};

/* Fills the own block, and returns whether all blocks of the result are those of their ranks. */
static void fill(void) {
  for (int to = 0; to < size; ++to) memset(sent + (size_t)to * bytes, rank + 1, bytes);
  memset(received, 0, (size_t)size * bytes);
  memset(block(rank), rank + 1, bytes);
}

static int is_right(void) {
  for (int of = 0; of < size; ++of) {
    for (int i = 0; i < bytes; ++i) {
      if (block(of)[i] != (char)(of + 1)) return 0;
    }
  }
  return 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  void (*call)(void) = NULL;
  for (size_t i = 0; argc == 4 && i < sizeof kSchedules / sizeof *kSchedules; ++i) {
    if (!strcmp(argv[1], kSchedules[i].operation) && !strcmp(argv[2], kSchedules[i].algorithm))
      call = kSchedules[i].call;
  }
  if (!call) {
    if (rank == 0)
      fprintf(stderr, "schedules: OPERATION ALGORITHM BYTES; for example: schedules allgather ring 1024\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  bytes = atoi(argv[3]);
  sent = malloc((size_t)size * bytes);
  received = malloc((size_t)size * bytes);
  fill();
  call(); /* a warm-up, whose result is checked */
  if (!is_right()) {
    fprintf(stderr, "schedules: rank %d has a wrong result\n", rank);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  call();
  const double time = 1e6 * (MPI_Wtime() - start);
  double sum, slowest;
  MPI_Reduce(&time, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("mean %.6g us, slowest %.6g us\n", sum / size, slowest);
  free(sent);
  free(received);
  MPI_Finalize();
  return 0;
}
