// SPDX-License-Identifier: LGPL-2.1-only
// How long a rank with several threads would have computed on cores of its own, from the processor time of each thread.
// For example, a main thread takes 10 ms, and four threads, of which it is one, then take 20 ms each:
//
//   computing_s(30e-3, {20e-3, 20e-3, 20e-3}, 4) = 30 ms     each thread has a core
//   computing_s(30e-3, {20e-3, 20e-3, 20e-3}, 2) = 50 ms     10 ms alone, then 80 ms on two cores
//   computing_s(30e-3, {20e-3, 20e-3, 20e-3}, 1) = 90 ms     one core does all
//
// Wall time would not do: this computer may have fewer cores than the rank, and other programs may use them. Processor
// time does not show when threads ran, so the longest of the other threads is taken to run beside the main thread, and
// what the main thread takes beyond that is taken to be its own, as between OpenMP's parallel regions. A schedule on k
// cores cannot be shorter than its longest thread, nor than the sum divided by k, and for equal threads it is the
// longer of both (R. L. Graham, Bell System Technical Journal 45(9), 1966).
#pragma once

#include <algorithm>
#include <ctime>
#include <numeric>
#include <vector>

namespace strata::sim {

/// s on `cores` >= 1 cores. `own` (s): the processor time of the thread that calls MPI; `others`: of each other thread.
/// `ended`: of threads that no longer exist, together, so it is not known how many they were.
inline double computing_s(double own, const std::vector<double>& others, double cores, double ended = 0) {
  const double longest = others.empty() ? 0 : *std::max_element(others.begin(), others.end());
  const double alone = std::max(0.0, own - longest);
  const double together = std::accumulate(others.begin(), others.end(), own - alone + ended);
  return alone + std::max(longest, together / cores);
}

/// The processor time of the threads of this process. Not thread-safe.
class ThreadTimes {
 public:
  /// Starts to measure, on the calling thread.
  void start();
  /// s that the process has computed since start() if it has `cores` cores. `own` (s): the processor time of the
  /// calling thread in that time, as measured by a timer that was started after start() and has been stopped.
  double since_start(double own, double cores);

 private:
  struct Thread {
    pid_t id;
    double start_s;  // processor time at start()
  };
  void find_threads();

  std::vector<Thread> others_;
  std::size_t count_ = 1;  // of all threads, when others_ was made
  double own_start_s_ = 0, all_start_s_ = 0;
};

}  // namespace strata::sim
