// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/profile/thread_times.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace strata::sim {
namespace {

constexpr const char* kThreads = "/proc/self/task";

double seconds(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  constexpr double kNanosecond = 1e-9;  // s
  return static_cast<double>(time.tv_sec) + kNanosecond * static_cast<double>(time.tv_nsec);
}

// The clock of a thread's processor time. Linux encodes the thread in the number of the clock, as
// pthread_getcpuclockid does: include/linux/posix-timers_types.h, CPUCLOCK_PERTHREAD_MASK and CPUCLOCK_SCHED. Unlike
// /proc, it includes the time since the scheduler's last tick.
clockid_t clock_of(pid_t thread) {
  constexpr unsigned kPerThread = 4, kScheduled = 2, kBits = 3;
  return static_cast<clockid_t>((~static_cast<unsigned>(thread) << kBits) | kPerThread | kScheduled);
}

// The folder of the threads has a link for each of them, and two of its own.
std::size_t count_threads() {
  struct stat folder {};
  constexpr std::size_t kOwnLinks = 2;
  if (::stat(kThreads, &folder) != 0 || folder.st_nlink <= kOwnLinks) return 1;
  return folder.st_nlink - kOwnLinks;
}

}  // namespace

// Threads that start later have no processor time yet.
void ThreadTimes::find_threads() {
  const std::size_t count = count_threads();
  if (count == count_ && (count == 1 || !others_.empty())) return;
  count_ = count;
  std::vector<Thread> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(kThreads, none)) {
    const auto id = static_cast<pid_t>(std::atol(entry.path().filename().c_str()));
    if (id == ::gettid()) continue;
    const auto known = std::find_if(others_.begin(), others_.end(), [id](const Thread& t) { return t.id == id; });
    found.push_back(known == others_.end() ? Thread{id, 0} : *known);
  }
  others_ = std::move(found);
}

// Both functions read the clocks in such an order that the process's time is not more than the sum of the times of its
// threads, unless some of them have ended.
void ThreadTimes::start() {
  find_threads();
  for (Thread& t : others_) t.start_s = seconds(clock_of(t.id));
  own_start_s_ = seconds(CLOCK_THREAD_CPUTIME_ID);
  all_start_s_ = seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double ThreadTimes::since_start(double own, double cores) {
  const double all = seconds(CLOCK_PROCESS_CPUTIME_ID) - all_start_s_;
  double known = seconds(CLOCK_THREAD_CPUTIME_ID) - own_start_s_;
  find_threads();
  std::vector<double> others;
  for (const Thread& t : others_) {
    others.push_back(std::max(0.0, seconds(clock_of(t.id)) - t.start_s));
    known += others.back();
  }
  return computing_s(own, others, cores, std::max(0.0, all - known));
}

}  // namespace strata::sim
