// SPDX-License-Identifier: LGPL-2.1-only
/* Collectives of named algorithms, written as messages, to predict measurements that name them. A plain MPI program:
 *
 *   schedules allgather ring 1024      prints "mean 12.3 us, slowest 13.4 us" of a repetition after a barrier
 *   schedules allreduce ring 4096 0.2  the same, and adding takes 0.2 ns for each byte that was received
 *
 *   allgather       ring, recursive-doubling (2^k ranks), neighbor (an even number of ranks: pairs of blocks go
 * around), bruck (in step k from rank + 2^k), sparbit (as recursive doubling in reverse, block by block) alltoall
 * pairwise (in step k with rank + k and rank - k), linear (all at once), bruck allreduce       ring, recursive-doubling
 * (2^k ranks), rabenseifner (2^k ranks) reduce-scatter  ring, pairwise
 *
 * The size is the block of one rank, of an allreduce the whole vector (B). Blocks of a rank itself are where they
 * belong, and cost nothing. Vectors are added byte by byte. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, size, bytes;
static double adding;         /* ns for each byte */
static char *sent, *received; /* of `size` blocks each; of an allreduce, one vector */
static char* kept;            /* as long as these, for messages that are added and for blocks on their way */

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

/* Blocks stay in the order of their arrival, the own one first, and are turned at the end. */
static void allgather_bruck(void) {
  memcpy(kept, block(rank), bytes);
  for (int reach = 1; reach < size; reach *= 2) {
    const int count = reach < size - reach ? reach : size - reach;
    exchange(kept, (rank + size - reach) % size, count * bytes, kept + (size_t)reach * bytes, (rank + reach) % size,
             count * bytes);
  }
  for (int i = 0; i < size; ++i) memcpy(block(rank + i), kept + (size_t)i * bytes, bytes);
}

/* The largest distance first. Each block is a message of its own. If a distance is that of an odd part of the number of
 * ranks, the last block would come a second time, and is left out. */
static void allgather_sparbit(void) {
  MPI_Request* all = malloc(2 * (size_t)size * sizeof *all);
  int steps = 0, even = 0;
  while (1 << steps < size) ++steps;
  while (!(size >> even & 1)) ++even;
  const unsigned odd = (~((unsigned)size >> even) | 1) << even;
  int expected = 1;
  for (int distance = 1 << (steps - 1); distance > 0; distance /= 2) {
    const int to = (rank + distance) % size, from = (rank + size - distance) % size;
    const int left_out = (distance & odd) == (unsigned)distance;
    int count = 0;
    for (int i = 0; i < expected - left_out; ++i) {
      const int out = ((rank - 2 * i * distance) % size + size) % size,
                in = ((rank - (2 * i + 1) * distance) % size + size) % size;
      MPI_Isend(block(out), bytes, MPI_BYTE, to, out, MPI_COMM_WORLD, &all[count++]);
      MPI_Irecv(block(in), bytes, MPI_BYTE, from, in, MPI_COMM_WORLD, &all[count++]);
    }
    MPI_Waitall(count, all, MPI_STATUSES_IGNORE);
    expected = 2 * expected - left_out;
  }
  free(all);
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

/* A block for rank + i goes on by each bit of i. Those of a bit go together, in a message. */
static void alltoall_bruck(void) {
  char *out = malloc((size_t)size * bytes), *in = malloc((size_t)size * bytes);
  for (int i = 0; i < size; ++i) memcpy(kept + (size_t)i * bytes, sent + (size_t)((rank + i) % size) * bytes, bytes);
  for (int reach = 1; reach < size; reach *= 2) {
    int count = 0;
    for (int i = 0; i < size; ++i) {
      if (i & reach) memcpy(out + (size_t)count++ * bytes, kept + (size_t)i * bytes, bytes);
    }
    exchange(out, (rank + reach) % size, count * bytes, in, (rank + size - reach) % size, count * bytes);
    count = 0;
    for (int i = 0; i < size; ++i) {
      if (i & reach) memcpy(kept + (size_t)i * bytes, in + (size_t)count++ * bytes, bytes);
    }
  }
  for (int i = 0; i < size; ++i) memcpy(block(rank - i), kept + (size_t)i * bytes, bytes);
  free(out);
  free(in);
}

static void add(char* to, const char* what, int count) {
  for (int i = 0; i < count; ++i) to[i] += what[i];
  const long pause = (long)(adding * count + 0.5);
  const struct timespec time = {pause / 1000000000, pause % 1000000000};
  if (pause > 0) nanosleep(&time, NULL);
}

/* Where a part of an allreduce's vector begins. */
static int part(int of) { return (int)((long)bytes * of / size); }
static int part_length(int of) { return part(of + 1) - part(of); }

/* Each rank sends the part that it has just added to. Then the finished parts go around. */
static void allreduce_ring(void) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int step = 0; step < size - 1; ++step) {
    const int out = (rank + size - step) % size, in = (rank + 2 * size - step - 1) % size;
    exchange(received + part(out), to, part_length(out), kept, from, part_length(in));
    add(received + part(in), kept, part_length(in));
  }
  for (int step = 0; step < size - 1; ++step) {
    const int out = (rank + 1 + size - step) % size, in = (rank + size - step) % size;
    exchange(received + part(out), to, part_length(out), received + part(in), from, part_length(in));
  }
}

static void allreduce_recursive_doubling(void) {
  for (int reach = 1; reach < size; reach *= 2) {
    exchange(received, rank ^ reach, bytes, kept, rank ^ reach, bytes);
    add(received, kept, bytes);
  }
}

/* Each step halves the part of a rank. Then the steps go back, and the parts grow. */
static void allreduce_rabenseifner(void) {
  int first = 0, count = bytes, begins[32], lengths[32], step = 0;
  for (int reach = 1; reach < size; reach *= 2) {
    const int low = count / 2, lower = !(rank & reach), mine = lower ? low : count - low;
    const int in = lower ? first : first + low, out = lower ? first + low : first;
    begins[step] = first;
    lengths[step++] = count;
    exchange(received + out, rank ^ reach, count - mine, kept, rank ^ reach, mine);
    add(received + in, kept, mine);
    first = in;
    count = mine;
  }
  for (int reach = size / 2; reach > 0; reach /= 2) {
    const int whole = lengths[--step], begin = begins[step];
    exchange(received + first, rank ^ reach, count, received + (first == begin ? begin + count : begin), rank ^ reach,
             whole - count);
    first = begin;
    count = whole;
  }
}

/* `received` has a vector for each rank; the own one is the result. */
static void reduce_scatter_ring(void) {
  for (int step = 1; step < size; ++step) {
    exchange(block(rank - step), (rank + 1) % size, bytes, kept, (rank + size - 1) % size, bytes);
    add(block(rank - step - 1), kept, bytes);
  }
}

static void reduce_scatter_pairwise(void) {
  for (int step = 1; step < size; ++step) {
    exchange(block(rank + step), (rank + step) % size, bytes, kept, (rank + size - step) % size, bytes);
    add(block(rank), kept, bytes);
  }
}

/* From rank 0. `kept` has the blocks of the ranks below, the own one first. */
static void scatter_binomial(void) {
  int reach = 1;
  if (rank == 0) {
    memcpy(kept, sent, (size_t)size * bytes);
    while (reach < size) reach *= 2;
  } else {
    while (!(rank & reach)) reach *= 2;
    const int held = reach < size - rank ? reach : size - rank;
    MPI_Recv(kept, held * bytes, MPI_BYTE, rank - reach, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (reach /= 2; reach > 0; reach /= 2) {
    const int to = rank + reach, count = reach < size - to ? reach : size - to;
    if (count > 0) MPI_Send(kept + (size_t)reach * bytes, count * bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
  }
  memcpy(block(rank), kept, bytes);
}

enum { kGathers, kAdds, kAddsBlocks, kScatters }; /* what the result is */

static const struct {
  const char *operation, *algorithm;
  void (*call)(void);
  int kind;
} kSchedules[] = {{"allgather", "ring", allgather_ring, kGathers},
                  {"allgather", "recursive-doubling", allgather_recursive_doubling, kGathers},
                  {"allgather", "neighbor", allgather_neighbor, kGathers},
                  {"allgather", "bruck", allgather_bruck, kGathers},
                  {"allgather", "sparbit", allgather_sparbit, kGathers},
                  {"alltoall", "pairwise", alltoall_pairwise, kGathers},
                  {"alltoall", "linear", alltoall_linear, kGathers},
                  {"alltoall", "bruck", alltoall_bruck, kGathers},
                  {"allreduce", "ring", allreduce_ring, kAdds},
                  {"allreduce", "recursive-doubling", allreduce_recursive_doubling, kAdds},
                  {"allreduce", "rabenseifner", allreduce_rabenseifner, kAdds},
                  {"reduce-scatter", "ring", reduce_scatter_ring, kAddsBlocks},
                  {"reduce-scatter", "pairwise", reduce_scatter_pairwise, kAddsBlocks},
                  {"scatter", "binomial", scatter_binomial, kScatters}};

static size_t room(int kind) { return kind == kAdds ? (size_t)bytes : (size_t)size * bytes; }

/* Fills the own block, or what is to be added. */
static void fill(int kind) {
  memset(sent, rank + 1, room(kind));
  memset(received, kind == kGathers || kind == kScatters ? 0 : rank + 1, room(kind));
  if (kind == kGathers) memset(block(rank), rank + 1, bytes);
}

static int is_filled(const char* with, size_t count, char value) {
  for (size_t i = 0; i < count; ++i) {
    if (with[i] != value) return 0;
  }
  return 1;
}

/* Whether all blocks of the result are those of their ranks, the sum of all ranks, or the root's. */
static int is_right(int kind) {
  if (kind == kScatters) return is_filled(block(rank), bytes, 1);
  if (kind != kGathers) return is_filled(kind == kAdds ? received : block(rank), bytes, (char)(size * (size + 1) / 2));
  for (int of = 0; of < size; ++of) {
    if (!is_filled(block(of), bytes, (char)(of + 1))) return 0;
  }
  return 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  void (*call)(void) = NULL;
  int kind = kGathers;
  for (size_t i = 0; (argc == 4 || argc == 5) && i < sizeof kSchedules / sizeof *kSchedules; ++i) {
    if (!strcmp(argv[1], kSchedules[i].operation) && !strcmp(argv[2], kSchedules[i].algorithm)) {
      call = kSchedules[i].call;
      kind = kSchedules[i].kind;
    }
  }
  if (!call) {
    if (rank == 0)
      fprintf(stderr, "schedules: OPERATION ALGORITHM BYTES [NS]; for example: schedules allgather ring 1024\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  bytes = atoi(argv[3]);
  adding = argc == 5 ? atof(argv[4]) : 0;
  sent = malloc(room(kind));
  received = malloc(room(kind));
  kept = malloc(room(kind));
  fill(kind);
  call(); /* a warm-up, whose result is checked */
  if (!is_right(kind)) {
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
  free(kept);
  MPI_Finalize();
  return 0;
}
