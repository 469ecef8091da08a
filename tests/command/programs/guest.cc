// SPDX-License-Identifier: LGPL-2.1-only
// A program for strata exec that follows its arguments:
//
//   guest arguments ...      rank 0 prints its arguments, one per line
//   guest nodes              each rank prints its node, in the order of the ranks
//   guest input              rank 0 prints what it reads from stdin
//   guest variable NAME      rank 0 prints that environment variable
//   guest ring BYTES ROUNDS  each rank sends to the next one
//   guest uneven ROUNDS      each rank sends to the next one, with a different size each time
//   guest broadcast BYTES    rank 0 broadcasts
//   guest pairs BYTES        ranks r and r + size / 2 exchange messages
//   guest synchronous ROUNDS synchronous sends to the next rank, some of which are late, long or nonblocking
//   guest collectives COUNT  MPI's own collectives, which combine and copy
//   guest generalized        each rank completes a generalized request
//   guest sleep SECONDS      of wall time
//   guest threads N MS       each of N threads, the rank's own included, uses the processor for MS ms
//   guest invalid            rank 1 sends to a rank that does not exist
//   guest exit CODE | return CODE | abort CODE | crash | deadlock
#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

namespace {

int g_rank = 0, g_size = 1;

void ring(int bytes, int rounds) {
  std::vector<char> out(bytes), in(bytes);
  for (int i = 0; i < rounds; ++i) {
    MPI_Sendrecv(out.data(), bytes, MPI_CHAR, (g_rank + 1) % g_size, 0, in.data(), bytes, MPI_CHAR,
                 (g_rank + g_size - 1) % g_size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void uneven(int rounds) {
  std::vector<char> out(rounds), in(rounds);
  for (int i = 0; i < rounds; ++i) {
    MPI_Sendrecv(out.data(), i, MPI_CHAR, (g_rank + 1) % g_size, 0, in.data(), i, MPI_CHAR,
                 (g_rank + g_size - 1) % g_size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void broadcast(int bytes) {
  std::vector<char> data(bytes);
  MPI_Bcast(data.data(), bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

void pairs(int bytes) {
  std::vector<char> out(bytes), in(bytes);
  const int partner = (g_rank + g_size / 2) % g_size;
  MPI_Sendrecv(out.data(), bytes, MPI_CHAR, partner, 0, in.data(), bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

// In each round every third rank posts its receive late, after another exchange. Rank 0 never blocks in its send.
void synchronous(int rounds) {
  std::vector<char> out(9000), in(9000);
  const int next = (g_rank + 1) % g_size, before = (g_rank + g_size - 1) % g_size;
  for (int i = 0; i < rounds; ++i) {
    const int bytes = i % 5 == 4 ? 9000 : 37 * i % 1000;
    MPI_Request sending = MPI_REQUEST_NULL, receiving = MPI_REQUEST_NULL;
    const bool late = (g_rank + i) % 3 == 0, blocks = !late && g_rank != 0 && i % 2 == 0;
    if (!late) MPI_Irecv(in.data(), bytes, MPI_CHAR, before, 0, MPI_COMM_WORLD, &receiving);
    if (!blocks) MPI_Issend(out.data(), bytes, MPI_CHAR, next, 0, MPI_COMM_WORLD, &sending);
    if (late) {
      MPI_Sendrecv(out.data(), 2000, MPI_CHAR, g_rank, 1, in.data(), 2000, MPI_CHAR, g_rank, 1, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      MPI_Irecv(in.data(), bytes, MPI_CHAR, before, 0, MPI_COMM_WORLD, &receiving);
    }
    if (blocks) MPI_Ssend(out.data(), bytes, MPI_CHAR, next, 0, MPI_COMM_WORLD);
    MPI_Wait(&sending, MPI_STATUS_IGNORE);
    MPI_Wait(&receiving, MPI_STATUS_IGNORE);
  }
}

void collectives(int count) {
  std::vector<double> in(static_cast<std::size_t>(count) * g_size, 1), out(in.size());
  MPI_Allreduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_MAX, 1 % g_size, MPI_COMM_WORLD);
  MPI_Allgather(in.data(), count, MPI_DOUBLE, out.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Alltoall(in.data(), count, MPI_DOUBLE, out.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Scan(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Gather(in.data(), count, MPI_DOUBLE, out.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

void generalized() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Grequest_start([](void*, MPI_Status*) -> int { return MPI_SUCCESS; }, [](void*) -> int { return MPI_SUCCESS; },
                     [](void*, int) -> int { return MPI_SUCCESS; }, nullptr, &request);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// By the system's call, because functions of the C library tell a rank the simulated time.
double processor_s() {
  timespec time{};
  ::syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void compute(double seconds) {
  const double end = processor_s() + seconds;
  while (processor_s() < end) continue;
}

// As with OpenMP, the threads exist until the next computation.
void threads(int count, int ms) {
  std::atomic<int> ready = 0;
  std::atomic<bool> go_home = false;
  std::vector<std::thread> others;
  for (int i = 1; i < count; ++i) {
    others.emplace_back([&] {
      compute(1e-3 * ms);
      ++ready;
      ready.notify_one();
      go_home.wait(false);
    });
  }
  compute(1e-3 * ms);
  for (int n = ready; n < count - 1; n = ready) ready.wait(n);
  MPI_Barrier(MPI_COMM_WORLD);
  go_home = true;
  go_home.notify_all();
  for (std::thread& t : others) t.join();
}

void nodes() {
  for (int r = 0; r < g_size; ++r) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (r != g_rank) continue;
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    std::printf("%d %s\n", g_rank, name.data());
    std::fflush(stdout);
  }
}

void crash() {
  if (g_rank != 1) return;
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

void invalid() {
  if (g_rank == 1) MPI_Send(&g_rank, 1, MPI_INT, g_size, 0, MPI_COMM_WORLD);
}

void deadlock() {
  int value = 0;
  if (g_rank < 2) MPI_Recv(&value, 1, MPI_INT, 1 - g_rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void input() {
  if (g_rank != 0) return;
  for (int c = 0; (c = std::getchar()) != EOF;) std::putchar(c);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &g_size);
  const std::string what = argc > 1 ? argv[1] : "";
  const auto number = [&](int i) { return i < argc ? std::atoi(argv[i]) : 0; };
  if (what == "arguments" && g_rank == 0) {
    for (int i = 2; i < argc; ++i) std::puts(argv[i]);
  }
  if (what == "variable" && g_rank == 0) {
    const char* value = std::getenv(argv[2]);
    std::puts(value == nullptr ? "(not set)" : value);
  }
  if (what == "nodes") nodes();
  if (what == "input") input();
  if (what == "ring") ring(number(2), number(3));
  if (what == "uneven") uneven(number(2));
  if (what == "broadcast") broadcast(number(2));
  if (what == "pairs") pairs(number(2));
  if (what == "synchronous") synchronous(number(2));
  if (what == "collectives") collectives(number(2));
  if (what == "generalized") generalized();
  if (what == "sleep") ::sleep(number(2));
  if (what == "threads") threads(number(2), number(3));
  if (what == "exit") std::exit(number(2));
  if (what == "abort" && g_rank == g_size - 1) MPI_Abort(MPI_COMM_WORLD, number(2));
  if (what == "crash") crash();
  if (what == "invalid") invalid();
  if (what == "deadlock") deadlock();
  MPI_Finalize();
  return what == "return" ? number(2) : 0;
}
