// SPDX-License-Identifier: LGPL-2.1-only
// The computing time of threads: schedules made by hand, and real threads that each use a known processor time.
#include "sim/profile/thread_times.h"

#include <gtest/gtest.h>

#include <atomic>
#include <ctime>
#include <thread>
#include <vector>

namespace strata::sim {
namespace {

TEST(ComputingTime, OneCoreDoesEverything) {
  EXPECT_DOUBLE_EQ(computing_s(7, {}, 1), 7);
  EXPECT_DOUBLE_EQ(computing_s(30, {20, 20, 20}, 1), 90);
  EXPECT_DOUBLE_EQ(computing_s(1, {20, 5}, 1), 26);
}

TEST(ComputingTime, ThreadsWithACoreEachTakeAsLongAsTheLongest) {
  EXPECT_DOUBLE_EQ(computing_s(20, {20, 20, 20}, 4), 20);
  EXPECT_DOUBLE_EQ(computing_s(30, {20, 20, 20}, 4), 30);  // 10 by the main thread alone
  EXPECT_DOUBLE_EQ(computing_s(0, {20, 10}, 8), 20);       // it only waits
}

TEST(ComputingTime, MoreThreadsThanCoresShareThem) {
  EXPECT_DOUBLE_EQ(computing_s(20, {20, 20, 20}, 2), 40);
  EXPECT_DOUBLE_EQ(computing_s(30, {20, 20, 20}, 2), 50);
  EXPECT_DOUBLE_EQ(computing_s(20, {20, 20}, 1.5), 40);
}

TEST(ComputingTime, MoreCoresDoNotHelpOneThread) { EXPECT_DOUBLE_EQ(computing_s(7, {0, 0}, 12), 7); }

TEST(ComputingTime, ThreadsThatHaveEndedUseAllCores) {
  EXPECT_DOUBLE_EQ(computing_s(5, {}, 4, 40), 5 + 10);
  EXPECT_DOUBLE_EQ(computing_s(5, {}, 1, 40), 45);
}

// Uses the processor for that time.
void compute(double seconds) {
  timespec time{};
  do {
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  } while (static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec) < seconds);
}

// A thread's clock starts at 0 with the thread, so each of these computes for 50 ms. The test's own thread does not
// compute. Upper limits allow for the work of the clocks and of the scheduler, but not for a thread counted twice.
constexpr double kEach = 0.05, kMargin = 0.02;  // s

TEST(ThreadTimes, CountsThreadsThatLive) {
  ThreadTimes times;
  times.start();
  std::atomic<int> ready = 0;
  std::atomic<bool> go_home = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      compute(kEach);
      ++ready;
      ready.notify_one();
      go_home.wait(false);
    });
  }
  for (int n = ready; n < 3; n = ready) ready.wait(n);
  const double one_core = times.since_start(0, 1), three = times.since_start(0, 3);
  times.start();
  EXPECT_LT(times.since_start(0, 1), kMargin) << "what a thread did before does not count again";
  go_home = true;
  go_home.notify_all();
  for (std::thread& t : threads) t.join();
  EXPECT_GE(one_core, 3 * kEach);
  EXPECT_LT(one_core, 3 * kEach + kMargin);
  EXPECT_GE(three, kEach);
  EXPECT_LT(three, kEach + kMargin);
}

TEST(ThreadTimes, CountsThreadsThatHaveEnded) {
  ThreadTimes times;
  times.start();
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back([] { compute(kEach); });
  for (std::thread& t : threads) t.join();
  const double two_cores = times.since_start(0, 2);
  EXPECT_GE(two_cores, kEach);
  EXPECT_LT(two_cores, kEach + kMargin);
}

TEST(ThreadTimes, AThreadAloneIsMeasuredByItsTimer) {
  ThreadTimes times;
  times.start();
  EXPECT_EQ(times.since_start(0.125, 1), 0.125);
  EXPECT_EQ(times.since_start(0.125, 4), 0.125);
}

}  // namespace
}  // namespace strata::sim
