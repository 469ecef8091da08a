// SPDX-License-Identifier: LGPL-2.1-only
// A program for tests of runs with real MPI libraries. The first argument says what it does:
//
//   pingpong BYTES    10 round trips between the first and the last rank; rank 0 prints the time of half a round, in s
//   kinds             messages of all kinds, whose data it checks; rank 0 prints "right"
//   where             each rank prints its rank, node and the number of ranks that share its memory
//   deadlock          rank 0 and rank 1 receive from each other
//   abort CODE        rank 1 calls MPI_Abort
//   exit CODE         rank 1 calls exit
//   clocks            rank 0 sleeps a second and prints how long that took by each clock
//   tests             rank 0 tests for a message that rank 1 sends after 1 ms of sleep, and prints when it has it
//   spin              rank 0 waits for rank 1, which sleeps 1 ms, at a place in shared memory; it prints how long
//   collectives       a broadcast, an allreduce, and messages around a ring
//   work              computes between two barriers; rank 0 prints how long that took
//   second            broadcasts until a second has passed; rank 0 prints how many
//   halo              four rounds of messages of many sizes with MPI_Waitall; in some, a receive or a broadcast that is
//   not
//                     in its array is under way; each rank prints its time after each round
//   alone BYTES       rank 0 prints how long these take, in s: MPI_Reduce_local of as many bytes of int, double and
//   pairs
//                     of double and int, MPI_Allgather of itself alone, and MPI_Reduce_local with its own operation
//   window            puts, gets and atomic additions; rank 0 prints the sum
#include <mpi.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

int rank, ranks;

void check(int condition, const char* what) {
  if (condition) return;
  printf("rank %d: %s is wrong\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 9);
}

void pingpong(int bytes) {
  std::vector<char> buffer(static_cast<std::size_t>(bytes) + 1);
  const int last = ranks - 1, rounds = 10;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < rounds; ++i) {
    if (rank == 0) {
      MPI_Send(buffer.data(), bytes, MPI_CHAR, last, 1, MPI_COMM_WORLD);
      MPI_Recv(buffer.data(), bytes, MPI_CHAR, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == last) {
      MPI_Recv(buffer.data(), bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer.data(), bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
  }
  if (rank == 0) printf("%.15g\n", (MPI_Wtime() - begin) / (2 * rounds));
}

// `count` ints from each rank to the next, by each kind of send.
void exchange(int count) {
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  const auto size = static_cast<std::size_t>(count);
  std::vector<int> out(size), in(size);
  MPI_Request requests[2];
  MPI_Status status;
  for (int kind = 0; kind < 4; ++kind) {
    for (int i = 0; i < count; ++i) out[i] = rank * 1000003 + i * 7 + kind;
    in.assign(size, 0);
    MPI_Irecv(in.data(), count, MPI_INT, kind == 2 ? MPI_ANY_SOURCE : before, kind, MPI_COMM_WORLD, &requests[0]);
    switch (kind) {
      case 0:
        MPI_Isend(out.data(), count, MPI_INT, next, kind, MPI_COMM_WORLD, &requests[1]);
        break;
      case 1:
        MPI_Issend(out.data(), count, MPI_INT, next, kind, MPI_COMM_WORLD, &requests[1]);
        break;
      case 2:  // from any source
        MPI_Isend(out.data(), count, MPI_INT, next, kind, MPI_COMM_WORLD, &requests[1]);
        break;
      default:
        MPI_Irsend(out.data(), count, MPI_INT, next, kind, MPI_COMM_WORLD, &requests[1]);
    }
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], &status);
    int got = -1;
    MPI_Get_count(&status, MPI_INT, &got);
    check(got == count && status.MPI_SOURCE == before, "a status");
    for (int i = 0; i < count; ++i) check(in[i] == before * 1000003 + i * 7 + kind, "a message");
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

void kinds(void) {
  for (int count = 1; count <= 1 << 20; count *= 32) exchange(count);
  // A column of a matrix: a type that the library packs itself.
  constexpr int kSide = 300;
  static double matrix[kSide][kSide], column[kSide];
  MPI_Datatype type;
  MPI_Type_vector(kSide, 1, kSide, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  for (int i = 0; i < kSide; ++i) matrix[i][3] = rank + i * 0.5;
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  MPI_Sendrecv(&matrix[0][3], 1, type, next, 5, column, kSide, MPI_DOUBLE, before, 5, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < kSide; ++i) check(column[i] == before + i * 0.5, "a column");
  MPI_Sendrecv(column, kSide, MPI_DOUBLE, before, 6, &matrix[0][7], 1, type, next, 6, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < kSide; ++i) check(matrix[i][7] == rank + i * 0.5, "a column that came back");
  MPI_Type_free(&type);
  // Probes, also matched ones.
  int value = rank, flag = 0;
  MPI_Message message;
  MPI_Status status;
  MPI_Request request;
  MPI_Isend(&value, 1, MPI_INT, next, 8, MPI_COMM_WORLD, &request);
  MPI_Probe(before, 8, MPI_COMM_WORLD, &status);
  MPI_Mprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &message, &status);
  int got = -1;
  MPI_Mrecv(&got, 1, MPI_INT, &message, &status);
  check(got == before, "a probed message");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  // A receive without a send.
  MPI_Irecv(&got, 1, MPI_INT, before, 99, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  check(flag, "a cancelled receive");
  // Collectives, and one that is not blocking.
  long sum = rank, all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  check(all == static_cast<long>(ranks) * (ranks - 1) / 2, "MPI_Allreduce");
  std::vector<int> each(ranks);
  MPI_Iallgather(&rank, 1, MPI_INT, each.data(), 1, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int r = 0; r < ranks; ++r) check(each[r] == r, "MPI_Iallgather");
  if (rank == 0) puts("right");
}

void where(void) {
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0, sharing = 0;
  MPI_Comm shared;
  MPI_Get_processor_name(name, &length);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
  MPI_Comm_size(shared, &sharing);
  for (int r = 0; r < ranks; ++r) {
    if (r == rank) {
      printf("%d %s %d\n", rank, name, sharing);
      fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Comm_free(&shared);
}

double by_clock(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double by_timeofday(void) {
  timeval t;
  gettimeofday(&t, nullptr);
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

void clocks(void) {
  if (rank != 0) return;
  const double wtime = MPI_Wtime(), real = by_clock(CLOCK_REALTIME), monotonic = by_clock(CLOCK_MONOTONIC);
  const double day = by_timeofday();
  const time_t seconds = time(nullptr);
  sleep(1);
  usleep(500000);
  printf("%.6f %.6f %.6f %.5f %ld\n", MPI_Wtime() - wtime, by_clock(CLOCK_REALTIME) - real,
         by_clock(CLOCK_MONOTONIC) - monotonic, by_timeofday() - day, static_cast<long>(time(nullptr) - seconds));
}

void tests(void) {
  int value = 7, flag = 0;
  MPI_Request request;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (rank == 1) {
    usleep(1000);
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else if (rank == 0) {
    value = 0;
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    check(value == 7, "a tested message");
    printf("%.9f\n", MPI_Wtime() - begin);
  }
}

void halo(void) {
  std::vector<std::vector<char>> in(ranks, std::vector<char>(200'000)), out = in;
  const auto bytes = [](int from, int to, int round) {
    constexpr int kSizes[] = {8, 3000, 50, 150'000, 0, 700};
    return kSizes[(from + 3 * to + round) % 6];
  };
  for (int round = 0; round < 4; ++round) {
    std::vector<MPI_Request> all;
    MPI_Request other;
    char late = 0;
    int value = rank == 0 ? round : -1;
    if (round == 1) MPI_Irecv(&late, 1, MPI_CHAR, (rank + 1) % ranks, 99, MPI_COMM_WORLD, &other);
    if (round == 2) MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &other);
    for (int peer = 0; peer < ranks; ++peer) {
      if (peer == rank) continue;
      MPI_Irecv(in[peer].data(), bytes(peer, rank, round), MPI_CHAR, peer, round, MPI_COMM_WORLD, &all.emplace_back());
    }
    for (int by = 1; by < ranks; ++by) {
      const int peer = (rank + by) % ranks;
      std::vector<char>& data = out[peer];
      std::fill(data.begin(), data.end(), static_cast<char>(rank + 7 * peer + round));
      const auto send = by == 1 && round == 3 ? MPI_Issend : MPI_Isend;
      send(data.data(), bytes(rank, peer, round), MPI_CHAR, peer, round, MPI_COMM_WORLD, &all.emplace_back());
    }
    if (round == 1) MPI_Send("x", 1, MPI_CHAR, (rank + ranks - 1) % ranks, 99, MPI_COMM_WORLD);
    MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE);
    for (int peer = 0; peer < ranks; ++peer) {
      for (int i = 0; peer != rank && i < bytes(peer, rank, round); ++i)
        check(in[peer][i] == static_cast<char>(peer + 7 * rank + round), "a message of the halo");
    }
    if (round == 1 || round == 2) MPI_Wait(&other, MPI_STATUS_IGNORE);
    check(round != 1 || late == 'x', "the late message");
    check(round != 2 || value == round, "the broadcast");
    printf("%d %d %.17g\n", round, rank, MPI_Wtime());
  }
}

void window(void) {
  long* memory = nullptr;
  MPI_Win win;
  MPI_Win_allocate(static_cast<MPI_Aint>(sizeof(long) * static_cast<std::size_t>(ranks + 1)), sizeof(long),
                   MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  for (int r = 0; r <= ranks; ++r) memory[r] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const long mine = rank + 1;
  MPI_Win_fence(0, win);
  for (int r = 0; r < ranks; ++r) MPI_Put(&mine, 1, MPI_LONG, r, rank, 1, MPI_LONG, win);
  MPI_Win_fence(0, win);
  for (int r = 0; r < ranks; ++r) check(memory[r] == r + 1, "a put");
  long got = 0, old = 0;
  MPI_Win_fence(0, win);
  MPI_Get(&got, 1, MPI_LONG, (rank + 1) % ranks, rank, 1, MPI_LONG, win);
  MPI_Win_fence(0, win);
  check(got == rank + 1, "a get");
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < 10; ++i) {
    MPI_Fetch_and_op(&mine, &old, MPI_LONG, 0, ranks, MPI_SUM, win);
    MPI_Win_flush(0, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    printf("%ld\n", memory[ranks]);
    MPI_Win_unlock(0, win);
  }
  MPI_Win_free(&win);
}

void collectives() {
  std::vector<int> values(1000, rank), sums(1000);
  MPI_Bcast(values.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(values.data(), sums.data(), 1000, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  check(sums[0] == 0, "a sum");
  exchange(10);
  exchange(100000);
}

void work() {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  volatile double value = rank;
  for (int i = 0; i < 1000000; ++i) value = value * 0.5 + 1;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%.17g\n", MPI_Wtime() - begin);
}

void second() {
  const double begin = MPI_Wtime();
  int rounds = 0, goes_on = 1;
  while (goes_on != 0) {
    ++rounds;
    goes_on = MPI_Wtime() - begin < 1 ? 1 : 0;
    MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%d\n", rounds);
}

// Rank 0 waits for rank 1 by looking at shared memory.
void spin() {
  MPI_Win win;
  int* flag = nullptr;
  MPI_Win_allocate_shared(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &win);
  MPI_Aint size;
  int unit;
  MPI_Win_shared_query(win, 0, &size, &unit, &flag);
  if (rank == 0) *flag = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  MPI_Win_lock_all(0, win);
  if (rank == 1) {
    usleep(1000);
    *static_cast<volatile int*>(flag) = 1;
  }
  while (rank == 0 && *static_cast<volatile int*>(flag) == 0) MPI_Win_sync(win);
  MPI_Win_unlock_all(win);
  if (rank == 0) printf("%.15g\n", MPI_Wtime() - begin);
  MPI_Win_free(&win);
}

void add(void* in, void* in_out, int* count, MPI_Datatype* /*datatype*/) {
  const auto* const from = static_cast<const int*>(in);
  auto* const to = static_cast<int*>(in_out);
  for (int i = 0; i < *count; ++i) to[i] += from[i];
}

template <class Call>
void print_time(Call call) {
  const double begin = MPI_Wtime();
  call();
  if (rank == 0) printf("%.15g\n", MPI_Wtime() - begin);
}

void alone(int bytes) {
  std::vector<char> in(static_cast<std::size_t>(bytes)), out(in.size());
  struct Pair {
    double value;
    int where;
  };
  const auto size = static_cast<int>(sizeof(int));
  const int pair = static_cast<int>(sizeof(double)) + size;  // MPI_Type_size(MPI_DOUBLE_INT)
  std::vector<Pair> pairs(static_cast<std::size_t>(bytes / pair), Pair{0, 0}), others(pairs);
  MPI_Op own = MPI_OP_NULL;
  MPI_Op_create(add, 1, &own);
  const auto reduce = [&](MPI_Datatype datatype, MPI_Op operation) {
    int each = 0;
    MPI_Type_size(datatype, &each);
    print_time([&] { MPI_Reduce_local(in.data(), out.data(), bytes / each, datatype, operation); });
  };
  reduce(MPI_INT, MPI_SUM);
  reduce(MPI_INT, MPI_MAX);
  reduce(MPI_DOUBLE, MPI_MAX);
  reduce(MPI_FLOAT, MPI_MIN);
  reduce(MPI_LONG_DOUBLE, MPI_PROD);
  reduce(MPI_UNSIGNED_CHAR, MPI_BOR);
  reduce(MPI_INT64_T, MPI_LXOR);
  reduce(MPI_C_DOUBLE_COMPLEX, MPI_SUM);
  reduce(MPI_C_BOOL, MPI_LAND);
  print_time([&] { MPI_Reduce_local(pairs.data(), others.data(), bytes / pair, MPI_DOUBLE_INT, MPI_MAXLOC); });
  print_time([&] { MPI_Allgather(in.data(), bytes, MPI_CHAR, out.data(), bytes, MPI_CHAR, MPI_COMM_SELF); });
  print_time([&] { MPI_Reduce_local(in.data(), out.data(), bytes / size, MPI_INT, own); });
  MPI_Op_free(&own);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* const what = argc > 1 ? argv[1] : "kinds";
  const int number = argc > 2 ? atoi(argv[2]) : 0;
  if (strcmp(what, "pingpong") == 0) pingpong(number);
  if (strcmp(what, "kinds") == 0) kinds();
  if (strcmp(what, "where") == 0) where();
  if (strcmp(what, "alone") == 0) alone(number);
  if (strcmp(what, "clocks") == 0) clocks();
  if (strcmp(what, "tests") == 0) tests();
  if (strcmp(what, "spin") == 0) spin();
  if (strcmp(what, "collectives") == 0) collectives();
  if (strcmp(what, "work") == 0) work();
  if (strcmp(what, "second") == 0) second();
  if (strcmp(what, "halo") == 0) halo();
  if (strcmp(what, "window") == 0) window();
  if (strcmp(what, "abort") == 0 && rank == 1) MPI_Abort(MPI_COMM_WORLD, number);
  if (strcmp(what, "exit") == 0 && rank == 1) exit(number);
  if (strcmp(what, "deadlock") == 0 && rank < 2) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
