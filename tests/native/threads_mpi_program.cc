// SPDX-License-Identifier: LGPL-2.1-only
// Threads of each rank that call MPI at once (MPI_THREAD_MULTIPLE). Rank 0 prints what its threads saw and when, so
// that two runs can be compared:
//
//   strata exec -n 4 -- ./threads_mpi_program messages
//   thread 0: 20 messages, 206405 ns
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 4;
int my_rank = 0, num_ranks = 0;

// All threads print in their order, at the end.
std::array<std::string, kThreads> texts;

void run_threads(void (*work)(int)) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back(work, t);
  for (std::thread& t : threads) t.join();
  for (const std::string& text : texts) {
    if (my_rank == 0) std::printf("%s", text.c_str());
  }
}

long nanoseconds_since(double start_s) { return std::lround(1e9 * (MPI_Wtime() - start_s)); }

pthread_barrier_t barrier;

// Each exchanges messages with the same thread of a neighbour; they sleep and meet at barriers.
void exchange(int thread) {
  const double start_s = MPI_Wtime();
  const int peer = my_rank ^ 1;
  int right = 0;
  for (int i = 0; i < 20; ++i) {
    const int sent = 1000 * my_rank + 100 * thread + i;
    int received = -1;
    std::array<MPI_Request, 2> requests = {};
    MPI_Irecv(&received, 1, MPI_INT, peer, thread, MPI_COMM_WORLD, requests.data());
    MPI_Isend(&sent, 1, MPI_INT, peer, thread, MPI_COMM_WORLD, &requests[1]);
    if (i % 3 == 0) ::usleep(10 * thread);
    std::array<MPI_Status, 2> statuses = {};
    MPI_Waitall(2, requests.data(), statuses.data());
    right += received == 1000 * peer + 100 * thread + i ? 1 : 0;
    if (i % 5 == 0) ::pthread_barrier_wait(&barrier);
  }
  texts[thread] = "thread " + std::to_string(thread) + ": " + std::to_string(right) + " messages, " +
                  std::to_string(nanoseconds_since(start_s)) + " ns\n";
}

// Any of a rank's threads may get any of the messages.
void take_any(int thread) {
  std::string got;
  for (int i = 0; i < 5; ++i) {
    int number = 4 * i + thread, received = 0;
    MPI_Send(&number, 1, MPI_INT, (my_rank + 1) % num_ranks, 7, MPI_COMM_WORLD);
    MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    got += " " + std::to_string(received);
  }
  texts[thread] = "thread " + std::to_string(thread) + " got" + got + "\n";
}

// A queue between one thread that receives and three that answer.
std::mutex mutex;
std::condition_variable has_work;
std::vector<int> work;
void answer(int thread) {
  constexpr int kEach = 9;
  if (thread == 0) {
    for (int i = 0; i < kEach; ++i) {
      int number = 0;
      const int next = (my_rank + 1) % num_ranks;
      MPI_Sendrecv(&i, 1, MPI_INT, next, 1, &number, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const std::lock_guard lock(mutex);
      work.push_back(number);
      has_work.notify_one();
    }
    return;
  }
  for (int i = 0; i < kEach / (kThreads - 1); ++i) {
    int number = 0;
    {
      std::unique_lock lock(mutex);
      has_work.wait(lock, [] { return !work.empty(); });
      number = work.back();
      work.pop_back();
    }
    int back = 0;
    MPI_Sendrecv(&number, 1, MPI_INT, my_rank, 10 + thread, &back, 1, MPI_INT, my_rank, 10 + thread, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    texts[thread] += std::to_string(back) + (i == 2 ? "\n" : " ");
  }
}

// Threads of even ranks share a mutex, and have it during a round trip: their round trips come one after the other.
void lock(int thread) {
  char byte = 0;
  for (int i = 0; i < 10; ++i) {
    if (my_rank % 2 == 0) {
      const std::lock_guard guard(mutex);
      MPI_Send(&byte, 0, MPI_CHAR, my_rank + 1, thread, MPI_COMM_WORLD);
      MPI_Recv(&byte, 0, MPI_CHAR, my_rank + 1, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&byte, 0, MPI_CHAR, my_rank - 1, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&byte, 0, MPI_CHAR, my_rank - 1, thread, MPI_COMM_WORLD);
    }
  }
}
void share_mutex() {
  const double start_s = MPI_Wtime();
  run_threads(lock);
  if (my_rank == 0) std::printf("%ld ns\n", nanoseconds_since(start_s));
}

// Thread 1 waits in a loop, without MPI and without sleeping, for what thread 0 receives.
std::atomic<bool> is_there{false};
void spin(int thread) {
  const int peer = my_rank ^ 1;
  int number = thread, received = 0;
  if (thread == 0) {
    // The peer's message comes when its thread 1 has seen ours.
    MPI_Sendrecv(&number, 1, MPI_INT, peer, 0, &received, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    is_there = true;
  } else if (thread == 1) {
    while (!is_there) {
    }
    texts[thread] = "seen\n";
  }
}

}  // namespace

int main(int count, char** arguments) {
  int level = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &num_ranks);
  ::pthread_barrier_init(&barrier, nullptr, kThreads);
  const std::string_view what = count > 1 ? arguments[1] : "";
  if (level != MPI_THREAD_MULTIPLE) std::printf("level %d\n", level);
  if (what == "messages") run_threads(exchange);
  if (what == "any") run_threads(take_any);
  if (what == "queue") run_threads(answer);
  if (what == "mutex") share_mutex();
  if (what == "spin") run_threads(spin);
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank == 0) std::printf("end %ld ns\n", nanoseconds_since(0));
  MPI_Finalize();
}
