/* SPDX-License-Identifier: LGPL-2.1-only
 *
 * Measures the costs of messages and copies at each level of a machine, for `strata calibrate --probe`. It is plain
 * C99 and MPI-2, so any mpicc compiles it:
 *
 *   mpicc -O2 -std=c99 probe.c -o probe && mpirun -n 32 --bind-to core ./probe plan.txt samples.csv
 *
 * The plan (written by `strata probe`) lists which processors of a node are below which cache, NUMA node and
 * package. Two ranks meet at the innermost level that contains both, or at the network. At each level, the ranks
 * below two neighbouring objects of that level, such as two packages, form pairs: rank i of one and rank i of the
 * other.
 *
 *   ping_pong         s, half a round trip of one pair
 *   one_way           B/s of k pairs together: a window of messages, then an answer
 *   both_ways         the same with messages in both directions, counted together
 *   rate              messages/s of k pairs together
 *   send_overhead     s of MPI_Isend, without the time of reading the clock
 *   receive_overhead  s of MPI_Recv for a message that has arrived, without the time of reading the clock
 *   queue             s of MPI_Recv for an empty message that has arrived behind k others, which wait for receives
 *   eager_limit       B, the size of the shortest message whose MPI_Isend is not done before the receive is posted
 *   copy, triad       B/s of k ranks of one NUMA node together, read plus written, as counted by STREAM
 *   broadcast, allgather   s on all ranks; used to check predictions, not for calibration
 *   ring              s of MPI_Sendrecv to the next and from the previous rank, on all ranks; used in the same way
 *
 * Each sample of each measurement is a row. Samples are taken in random order, so that a temporary disturbance of
 * the machine does not affect only one measurement. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMaxLevels = 16, kMaxPus = 4096, kMaxSizes = 64, kMaxName = 64 };
enum { kQueue = 1024 /* messages in front of the one that is received */ };
enum { kWindow = 16, kRateWindow = 64, kMessages = 20 /* per sample of an overhead */ };

/* The plan. */
static struct {
  int levels;
  char level[kMaxLevels][kMaxName]; /* 0: the network; outermost first */
  int pus;
  int pu[kMaxPus];                /* the operating system's number */
  int core[kMaxPus];              /* the core to which it belongs */
  int above[kMaxPus][kMaxLevels]; /* the object of each level above it; -1: none */
  int sizes;
  long size[kMaxSizes];
  int samples;
  long array_bytes; /* of a copy or triad; 0: do not measure memory */
  unsigned long seed;
} plan;

typedef struct {
  int node;
  int pu; /* index into plan.pu */
} Place;

static int rank, ranks;
static Place* places; /* by rank */

static void fail(const char* where, const char* what) {
  fprintf(stderr, "probe: %s: %s\n", where, what);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static void* allocate(size_t bytes) {
  void* memory = malloc(bytes == 0 ? 1 : bytes);
  if (memory == NULL) fail("memory", "there is not enough; give fewer or smaller sizes to strata probe");
  memset(memory, 0, bytes);
  return memory;
}

/* ---- the plan ---- */

static void read_plan(const char* name) {
  FILE* file = fopen(name, "r");
  if (file == NULL) fail(name, strerror(errno));
  char line[4096], word[32];
  int number = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = 0;
    ++number;
    if (number == 1) {
      if (strcmp(line, "strata-probe 1") != 0) fail(name, "is not a plan of strata probe");
      continue;
    }
    if (sscanf(line, "%31s", word) != 1) continue;
    char* rest = line + strlen(word);
    while (*rest == ' ') ++rest;
    if (strcmp(word, "level") == 0 && plan.levels < kMaxLevels) {
      snprintf(plan.level[plan.levels++], kMaxName, "%s", rest);
    } else if (strcmp(word, "pu") == 0 && plan.pus < kMaxPus) {
      plan.pu[plan.pus] = (int)strtol(rest, &rest, 10);
      plan.core[plan.pus] = (int)strtol(rest, &rest, 10);
      for (int l = 1; l < plan.levels; ++l) plan.above[plan.pus][l] = (int)strtol(rest, &rest, 10);
      ++plan.pus;
    } else if (strcmp(word, "sizes") == 0) {
      while (plan.sizes < kMaxSizes) {
        const char* begin = rest;
        const long size = strtol(rest, &rest, 10);
        if (rest == begin) break;
        plan.size[plan.sizes++] = size;
      }
    } else if (strcmp(word, "samples") == 0) {
      plan.samples = atoi(rest);
    } else if (strcmp(word, "array_bytes") == 0) {
      plan.array_bytes = atol(rest);
    } else if (strcmp(word, "seed") == 0) {
      plan.seed = strtoul(rest, NULL, 10);
    } else {
      fprintf(stderr, "probe: %s:%d: unknown or too many: %s\n", name, number, word);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
  fclose(file);
  if (plan.levels < 1 || plan.pus < 1 || plan.sizes < 1 || plan.samples < 1) fail(name, "is cut off; make it again");
}

/* ---- where the ranks are ---- */

/* The first processor on which this rank may run. It has to be the only one, unless all of them belong to one core. */
static int own_pu(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return -1;
  for (int i = 0; i < plan.pus; ++i) {
    if (CPU_ISSET(plan.pu[i], &set)) return i;
  }
  return -1;
}

static int level_of(Place a, Place b) {
  if (a.node != b.node) return 0;
  int deepest = -1;
  for (int l = 1; l < plan.levels; ++l) {
    if (plan.above[a.pu][l] >= 0 && plan.above[a.pu][l] == plan.above[b.pu][l]) deepest = l;
  }
  return deepest;
}

/* Reads the places from a file with lines "rank node pu", as `mpirun --bind-to core` would place the ranks, or asks
 * the system. */
static void find_places(const char* file_name) {
  places = allocate(sizeof *places * (size_t)ranks);
  char name[MPI_MAX_PROCESSOR_NAME] = {0};
  int length = 0;
  MPI_Get_processor_name(name, &length);
  char* names = allocate(sizeof name * (size_t)ranks);
  MPI_Allgather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, MPI_COMM_WORLD);
  int pu = file_name == NULL ? own_pu() : -1;
  int* pus = allocate(sizeof *pus * (size_t)ranks);
  MPI_Allgather(&pu, 1, MPI_INT, pus, 1, MPI_INT, MPI_COMM_WORLD);
  int nodes = 0;
  for (int r = 0; r < ranks; ++r) {
    places[r].pu = pus[r];
    places[r].node = -1;
    for (int other = 0; other < r && places[r].node < 0; ++other) {
      if (strcmp(names + sizeof name * (size_t)r, names + sizeof name * (size_t)other) == 0)
        places[r].node = places[other].node;
    }
    if (places[r].node < 0) places[r].node = nodes++;
  }
  if (file_name != NULL) {
    FILE* file = fopen(file_name, "r");
    if (file == NULL) fail(file_name, strerror(errno));
    int r, node, number;
    while (fscanf(file, "%d %d %d", &r, &node, &number) == 3) {
      if (r < 0 || r >= ranks) continue;
      places[r].node = node;
      for (int i = 0; i < plan.pus; ++i) {
        if (plan.pu[i] == number) places[r].pu = i;
      }
    }
    fclose(file);
  }
  for (int r = 0; r < ranks; ++r) {
    if (places[r].pu < 0)
      fail("binding",
           "a rank runs on no processor of the plan's node; bind ranks to cores (mpirun --bind-to core, srun "
           "--cpu-bind=cores), and give strata probe the XML of this node");
  }
  for (int a = 0; a < ranks; ++a) {
    for (int b = 0; b < a; ++b) {
      if (places[a].node == places[b].node && plan.core[places[a].pu] == plan.core[places[b].pu])
        fail("binding", "two ranks run on one core; bind each to a core of its own (mpirun --bind-to core)");
    }
  }
  free(names);
  free(pus);
}

/* The ranks below two neighbouring objects of a level: left[i] and right[i] are a pair. */
typedef struct {
  int pairs;
  int *left, *right;
} Pairs;

/* Of all pairs of neighbours at the level, the one with the most pairs of ranks. Ranks are in the same neighbour if
 * they meet further inside; first_of is its first rank. */
static Pairs pairs_at(int level) {
  Pairs best = {0, allocate(sizeof(int) * (size_t)ranks), allocate(sizeof(int) * (size_t)ranks)};
  int* first_of = allocate(sizeof(int) * (size_t)ranks);
  int* members = allocate(sizeof(int) * (size_t)ranks);
  for (int r = 0; r < ranks; ++r) {
    first_of[r] = r;
    for (int other = r - 1; other >= 0; --other) {
      if (level_of(places[r], places[other]) > level) first_of[r] = other;
    }
    ++members[first_of[r]];
  }
  int left = -1, right = -1;
  for (int a = 0; a < ranks; ++a) {
    for (int b = a + 1; members[a] > best.pairs && b < ranks; ++b) {
      if (members[b] <= best.pairs || level_of(places[a], places[b]) != level) continue;
      best.pairs = members[a] < members[b] ? members[a] : members[b];
      left = a;
      right = b;
    }
  }
  int lefts = 0, rights = 0;
  for (int r = 0; r < ranks; ++r) {
    if (first_of[r] == left && lefts < best.pairs) best.left[lefts++] = r;
    if (first_of[r] == right && rights < best.pairs) best.right[rights++] = r;
  }
  free(first_of);
  free(members);
  return best;
}

/* ---- measurements ---- */

typedef enum {
  kPingPong,
  kOneWay,
  kBothWays,
  kRate,
  kSendOverhead,
  kReceiveOverhead,
  kQueueSearch,
  kEagerLimit,
  kCopy,
  kTriad,
  kBroadcast,
  kAllgather,
  kRing
} Operation;
static const char* const kNames[] = {"ping_pong",        "one_way",   "both_ways",   "rate", "send_overhead",
                                     "receive_overhead", "queue",     "eager_limit", "copy", "triad",
                                     "broadcast",        "allgather", "ring"};

typedef struct {
  Operation operation;
  int level;
  long bytes;
  int at_once;
} Task;

static char *outgoing, *incoming;
static double *array_a, *array_b, *array_c;

static double clock_s; /* s of one call of MPI_Wtime */

/* The least of ten, because the mean is too long if another process interrupts this one. */
static double time_clock(void) {
  enum { kCalls = 100 };
  double least = 0;
  for (int i = 0; i < 10; ++i) {
    double end = 0;
    const double start = MPI_Wtime();
    for (int k = 0; k < kCalls; ++k) end = MPI_Wtime();
    const double mean = (end - start) / kCalls;
    if (i == 0 || mean < least) least = mean;
  }
  return least;
}

static int repetitions_of(long bytes) { return bytes <= 4096 ? 50 : bytes <= 262144 ? 10 : 3; }

/* The other rank of this rank's pair, among the first `at_once` pairs; -1: in none. `is_left`: the side of this
 * rank. */
static int partner_of(const Pairs* p, int at_once, int* is_left) {
  for (int i = 0; i < at_once; ++i) {
    *is_left = p->left[i] == rank;
    if (*is_left) return p->right[i];
    if (p->right[i] == rank) return p->left[i];
  }
  return -1;
}

/* MPI_Isend and not MPI_Send, because SMPI charges the send overhead of long messages only for MPI_Isend. */
static void send(const void* data, long bytes, int to) {
  MPI_Request request;
  MPI_Isend(data, (int)bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* An empty message, with a different tag from measured messages. */
static void tell(int other) { MPI_Send(outgoing, 0, MPI_CHAR, other, 1, MPI_COMM_WORLD); }
static void hear(int other) { MPI_Recv(incoming, 0, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static double ping_pong(const Pairs* p, long bytes) {
  int is_left = 0;
  const int other = partner_of(p, 1, &is_left), repetitions = repetitions_of(bytes);
  if (other < 0) return 0;
  double start = 0;
  for (int i = -2; i < repetitions; ++i) { /* two to warm up */
    if (i == 0) start = MPI_Wtime();
    if (is_left) {
      send(outgoing, bytes, other);
      MPI_Recv(incoming, (int)bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(incoming, (int)bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      send(outgoing, bytes, other);
    }
  }
  return is_left ? (MPI_Wtime() - start) / (2 * repetitions) : 0;
}

/* s of a window of messages from each left rank, or in both directions if `both`. */
static double window(const Pairs* p, int at_once, long bytes, int messages, int both) {
  int is_left = 0;
  const int other = partner_of(p, at_once, &is_left);
  if (other < 0) return 0;
  MPI_Request requests[2 * kRateWindow];
  MPI_Status statuses[2 * kRateWindow];
  double start = 0;
  for (int i = -1; i < 1; ++i) { /* one to warm up */
    start = MPI_Wtime();
    int n = 0;
    for (int m = 0; m < messages; ++m) {
      if (!is_left || both)
        MPI_Irecv(incoming + m * bytes, (int)bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, &requests[n++]);
      if (is_left || both) MPI_Isend(outgoing, (int)bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, &requests[n++]);
    }
    MPI_Waitall(n, requests, statuses);
    if (is_left) {
      hear(other);
    } else {
      tell(other);
    }
  }
  return MPI_Wtime() - start;
}

/* s of MPI_Isend on the left rank. */
static double time_send(int other, int is_left, long bytes) {
  if (!is_left) {
    MPI_Recv(incoming, (int)bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    tell(other);
    return 0;
  }
  MPI_Request request;
  const double start = MPI_Wtime();
  MPI_Isend(outgoing, (int)bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, &request);
  const double spent = MPI_Wtime() - start;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hear(other);
  return spent;
}

/* s of MPI_Recv on the right rank. A second message shows that the first has arrived, because messages of one pair
 * do not overtake each other. */
static double time_receive(int other, int is_left, long bytes) {
  if (is_left) {
    MPI_Request first;
    MPI_Isend(outgoing, (int)bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, &first);
    tell(other);
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    return 0;
  }
  hear(other);
  const double start = MPI_Wtime();
  MPI_Recv(incoming, (int)bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return MPI_Wtime() - start;
}

/* The mean, without the time of reading the clock. */
static double overhead(const Pairs* p, long bytes, double (*time_one)(int, int, long)) {
  int is_left = 0;
  const int other = partner_of(p, 1, &is_left);
  if (other < 0) return 0;
  double spent = 0;
  for (int i = 0; i < kMessages; ++i) spent += time_one(other, is_left, bytes);
  return spent / kMessages - clock_s;
}

/* s of MPI_Recv on the right rank. The messages in front have another tag, and are received afterwards. The first
 * exchange is not counted, because it makes the library's list as long as it has to be. */
static double queue_search(const Pairs* p, int in_front) {
  enum { kTimes = 4 };
  int is_left = 0;
  const int other = partner_of(p, 1, &is_left);
  if (other < 0) return 0;
  double spent = 0;
  for (int i = 0; i <= kTimes; ++i) {
    if (is_left) {
      for (int m = 0; m < in_front; ++m) MPI_Send(outgoing, 0, MPI_CHAR, other, 2, MPI_COMM_WORLD);
      MPI_Send(outgoing, 0, MPI_CHAR, other, 0, MPI_COMM_WORLD);
      tell(other);
      hear(other);
      continue;
    }
    hear(other);
    const double start = MPI_Wtime();
    MPI_Recv(incoming, 0, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (i > 0) spent += MPI_Wtime() - start;
    for (int m = 0; m < in_front; ++m) MPI_Recv(incoming, 0, MPI_CHAR, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    tell(other);
  }
  return is_left ? 0 : spent / kTimes - clock_s;
}

/* Whether the left rank's send of `bytes` is done although the right rank has not posted its receive. In the meantime
 * both exchange short messages, in which their MPI may make progress with the long one. */
static int is_eager(int other, int is_left, long bytes) {
  enum { kRounds = 4 };
  int done = 0;
  MPI_Request request;
  if (is_left) MPI_Isend(outgoing, (int)bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, &request);
  for (int i = 0; i < kRounds; ++i) {
    if (is_left) {
      tell(other);
      hear(other);
      if (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    } else {
      hear(other);
      tell(other);
    }
  }
  /* Only now may the right rank post its receive. The answer is the size of the message that says so. */
  if (is_left) {
    MPI_Send(outgoing, done, MPI_CHAR, other, 1, MPI_COMM_WORLD);
    if (!done) MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Status status;
    MPI_Recv(incoming, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &done);
    MPI_Recv(incoming, (int)bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return done;
}

/* By bisection. 0 if all messages of up to `most` bytes are eager. */
static double eager_limit(const Pairs* p, long most) {
  int is_left = 0;
  const int other = partner_of(p, 1, &is_left);
  if (other < 0 || is_eager(other, is_left, most)) return 0;
  long eager = -1, waits = most;
  while (waits - eager > 1) {
    const long middle = eager + (waits - eager) / 2;
    if (is_eager(other, is_left, middle)) {
      eager = middle;
    } else {
      waits = middle;
    }
  }
  return is_left ? (double)waits : 0;
}

/* As in STREAM: the best of three runs, except the first, which touches the pages. */
static double stream(int triad, int takes_part) {
  if (!takes_part) return 0;
  const long n = plan.array_bytes / (long)sizeof(double);
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    const double start = MPI_Wtime();
    if (triad) {
      for (long k = 0; k < n; ++k) array_a[k] = array_b[k] + 3.0 * array_c[k];
    } else {
      for (long k = 0; k < n; ++k) array_a[k] = array_b[k];
    }
    const double took = MPI_Wtime() - start;
    array_b[i] += array_a[n - 1]; /* prevents the compiler from removing the loop */
    if (i > 0 && (best == 0 || took < best)) best = took;
  }
  return best;
}

static double collective(Operation what, long bytes) {
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks, repetitions = bytes <= 4096 ? 10 : 2;
  double start = 0;
  for (int i = -1; i < repetitions; ++i) { /* one to warm up */
    if (i == 0) start = MPI_Wtime();
    if (what == kBroadcast) MPI_Bcast(incoming, (int)bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (what == kAllgather)
      MPI_Allgather(outgoing, (int)bytes, MPI_CHAR, incoming, (int)bytes, MPI_CHAR, MPI_COMM_WORLD);
    if (what == kRing) {
      MPI_Sendrecv(outgoing, (int)bytes, MPI_CHAR, right, 0, incoming, (int)bytes, MPI_CHAR, left, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    }
  }
  return (MPI_Wtime() - start) / repetitions;
}

/* Whether two ranks are below the same object of `level` in one node; for -1, in one node. */
static int are_together(int level, Place a, Place b) {
  return a.node == b.node && (level < 0 || plan.above[a.pu][level] == plan.above[b.pu][level]);
}

/* The ranks of the NUMA node with the most ranks, or of such a node if the plan has no NUMA nodes. Returns their
 * number. */
static int memory_ranks(int* order) {
  int level = -1, most = 0;
  for (int l = 1; l < plan.levels; ++l) {
    if (strcmp(plan.level[l], "NUMANode") == 0) level = l;
  }
  for (int first = 0; first < ranks; ++first) {
    int n = 0;
    for (int r = 0; r < ranks; ++r) n += are_together(level, places[first], places[r]);
    if (n <= most) continue;
    most = 0;
    for (int r = 0; r < ranks; ++r) {
      if (are_together(level, places[first], places[r])) order[most++] = r;
    }
  }
  return most;
}

/* ---- the list of measurements ---- */

static Task* tasks;
static int num_tasks, room;

static void add(Operation operation, int level, long bytes, int at_once) {
  if (num_tasks == room) {
    room = room == 0 ? 256 : 2 * room;
    tasks = realloc(tasks, sizeof *tasks * (size_t)room);
    if (tasks == NULL) fail("memory", "there is not enough");
  }
  const Task task = {operation, level, bytes, at_once};
  tasks[num_tasks++] = task;
}

/* 1, 2, 4, ..., and finally n. */
static int next_count(int k, int n) { return k < n && 2 * k > n ? n : 2 * k; }

static unsigned long draw(void) { /* xorshift64* (S. Vigna, ACM TOMS 42(4), 2016): the same on all ranks */
  static unsigned long long state = 0;
  if (state == 0) state = plan.seed * 2654435769ULL + 1;
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (unsigned long)((state * 2685821657736338717ULL) >> 33);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3) fail("usage", "probe PLAN SAMPLES.csv [PLACES], with PLAN from strata probe");
  read_plan(argv[1]);
  find_places(argc > 3 ? argv[3] : NULL);
  clock_s = time_clock();

  enum { kStreamBytes = 1 << 20, kRateBytes = 8, kEagerBytes = 4 << 20 /* the longest that may be eager */ };
  static const long kOverheadBytes[] = {8, 1024};
  static const long kCollectiveBytes[] = {8, 1024, 65536, 1048576};
  Pairs pairs[kMaxLevels];
  for (int l = 0; l < plan.levels; ++l) {
    pairs[l] = pairs_at(l);
    if (pairs[l].pairs == 0) continue;
    for (int s = 0; s < plan.sizes; ++s) add(kPingPong, l, plan.size[s], 1);
    for (int b = 0; b < 2; ++b) {
      add(kSendOverhead, l, kOverheadBytes[b], 1);
      add(kReceiveOverhead, l, kOverheadBytes[b], 1);
    }
    add(kQueueSearch, l, 0, 1);
    add(kQueueSearch, l, 0, kQueue);
    add(kEagerLimit, l, 0, 1);
    for (int k = 1; k <= pairs[l].pairs; k = next_count(k, pairs[l].pairs)) {
      add(kOneWay, l, kStreamBytes, k);
      add(kBothWays, l, kStreamBytes, k);
      add(kRate, l, kRateBytes, k);
    }
  }
  int* near = allocate(sizeof(int) * (size_t)ranks);
  const int near_ranks = memory_ranks(near);
  if (plan.array_bytes > 0) {
    for (int k = 1; k <= near_ranks; k = k + 1 > 16 ? next_count(k, near_ranks) : k + 1) {
      add(kCopy, -1, plan.array_bytes, k);
      add(kTriad, -1, plan.array_bytes, k);
    }
  }
  long largest = kStreamBytes * kWindow; /* each message of a window has its own place */
  for (int s = 0; s < plan.sizes; ++s) largest = plan.size[s] > largest ? plan.size[s] : largest;
  for (int b = 0; b < 4; ++b) {
    add(kBroadcast, -1, kCollectiveBytes[b], ranks);
    add(kRing, -1, kCollectiveBytes[b], ranks);
    if (kCollectiveBytes[b] * ranks <= largest) add(kAllgather, -1, kCollectiveBytes[b], ranks);
  }
  outgoing = allocate((size_t)largest);
  incoming = allocate((size_t)largest);
  if (plan.array_bytes > 0) {
    array_a = allocate((size_t)plan.array_bytes);
    array_b = allocate((size_t)plan.array_bytes);
    array_c = allocate((size_t)plan.array_bytes);
  }

  const int all = num_tasks * plan.samples;
  int* order = allocate(sizeof(int) * (size_t)all);
  for (int i = 0; i < all; ++i) order[i] = i;
  for (int i = all - 1; i > 0; --i) { /* Fisher-Yates shuffle */
    const int j = (int)(draw() % (unsigned long)(i + 1)), kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }

  FILE* out = NULL;
  if (rank == 0) {
    out = fopen(argv[2], "w");
    if (out == NULL) fail(argv[2], strerror(errno));
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = {0}, name[MPI_MAX_PROCESSOR_NAME] = {0};
    int length = 0;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = 0;
    for (char* at = version; *at != 0; ++at) {
      if (*at == '\t') *at = ' ';
    }
    MPI_Get_processor_name(name, &length);
    fprintf(out, "# strata probe 1\n# mpi: %s\n# rank 0 on: %s\n# ranks: %d\n", version, name, ranks);
    for (int l = 0; l < plan.levels; ++l) {
      if (pairs[l].pairs > 0)
        fprintf(out, "# level %s: %d pairs, the first is ranks %d and %d\n", plan.level[l], pairs[l].pairs,
                pairs[l].left[0], pairs[l].right[0]);
    }
    for (int r = 0; r < ranks; ++r) fprintf(out, "# place %d %d %d\n", r, places[r].node, plan.pu[places[r].pu]);
    fprintf(out, "operation,level,bytes,at_once,sample,value\n");
    fprintf(stderr, "probe: %d ranks, %d measurements, %d samples of each\n", ranks, num_tasks, plan.samples);
  }
  const double began = MPI_Wtime();
  int left_out = 0;
  for (int i = 0; i < all; ++i) {
    if (rank == 0 && (i == all / 4 || i == all / 2 || i == 3 * (all / 4)))
      fprintf(stderr, "probe: %d of %d samples, %.0f s\n", i, all, MPI_Wtime() - began);
    const Task* t = &tasks[order[i] / plan.samples];
    MPI_Barrier(MPI_COMM_WORLD);
    double own = 0;
    int takes_part = 0;
    for (int k = 0; k < t->at_once && k < near_ranks; ++k) takes_part = takes_part || near[k] == rank;
    switch (t->operation) {
      case kPingPong:
        own = ping_pong(&pairs[t->level], t->bytes);
        break;
      case kOneWay:
        own = window(&pairs[t->level], t->at_once, t->bytes, kWindow, 0);
        break;
      case kBothWays:
        own = window(&pairs[t->level], t->at_once, t->bytes, kWindow, 1);
        break;
      case kRate:
        own = window(&pairs[t->level], t->at_once, t->bytes, kRateWindow, 0);
        break;
      case kSendOverhead:
        own = overhead(&pairs[t->level], t->bytes, time_send);
        break;
      case kReceiveOverhead:
        own = overhead(&pairs[t->level], t->bytes, time_receive);
        break;
      case kQueueSearch:
        own = queue_search(&pairs[t->level], t->at_once);
        break;
      case kEagerLimit:
        own = eager_limit(&pairs[t->level], kEagerBytes);
        break;
      case kCopy:
        own = stream(0, takes_part);
        break;
      case kTriad:
        own = stream(1, takes_part);
        break;
      default:
        own = collective(t->operation, t->bytes);
        break;
    }
    double longest = 0;
    MPI_Reduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank != 0) continue;
    if (longest <= 0) { /* shorter than the clock's resolution, or computation is not simulated */
      if (t->operation != kEagerLimit) ++left_out;
      continue;
    }
    double value = longest;
    if (t->operation == kOneWay) value = (double)t->bytes * kWindow * t->at_once / longest;
    if (t->operation == kBothWays) value = 2.0 * (double)t->bytes * kWindow * t->at_once / longest;
    if (t->operation == kRate) value = (double)kRateWindow * t->at_once / longest;
    if (t->operation == kCopy) value = 2.0 * (double)t->bytes * t->at_once / longest;
    if (t->operation == kTriad) value = 3.0 * (double)t->bytes * t->at_once / longest;
    fprintf(out, "%s,%s,%ld,%d,%d,%.9g\n", kNames[t->operation], t->level < 0 ? "" : plan.level[t->level], t->bytes,
            t->at_once, order[i] % plan.samples, value);
  }
  if (left_out > 0) {
    fprintf(out, "# left out, shorter than the clock's resolution: %d of %d samples\n", left_out, all);
    fprintf(stderr, "probe: left out, shorter than the clock's resolution: %d of %d samples\n", left_out, all);
  }
  if (rank == 0 && (ferror(out) | fclose(out)) != 0) fail(argv[2], strerror(errno));
  if (rank == 0) fprintf(stderr, "probe: done in %.0f s: %s\n", MPI_Wtime() - began, argv[2]);
  MPI_Finalize();
  return 0;
}
