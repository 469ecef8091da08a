// SPDX-License-Identifier: LGPL-2.1-only
// Measured computation (`strata exec --compute measured`) of ranks with several threads.
//
// SMPI measures what a rank computes between two MPI calls with a timer of the thread that calls MPI. So it does not
// see the other threads of the rank, such as OpenMP's: the more of them share the work, the less time it charges,
// however few cores the rank has. These replacements of SMPI's timer count all threads (thread_times.h), on the cores
// that the rank has. Only one rank runs at a time, so all threads that run meanwhile are its own.
#include <xbt/xbt_os_time.h>

#include <cstdlib>
#include <fstream>
#include <unordered_map>
#include <vector>
#include <xbt/config.hpp>

#include "records/exchange/exchanged_words.h"
#include "sim/profile/calling_rank.h"
#include "sim/profile/functions.h"
#include "sim/profile/thread_times.h"

namespace strata::sim {
namespace {

bool is_measured() {
  static const bool measured = simgrid::config::get_value<bool>("smpi/simulate-computation");
  return measured;
}

// The calling rank's, from words::kCores' file; 1 without it.
double cores() {
  static const std::vector<double> all = [] {
    std::vector<double> read;
    const char* file = std::getenv(words::kCores);
    std::ifstream in(file == nullptr ? "" : file);
    for (double c = 0; in >> c;) read.push_back(c);
    return read;
  }();
  const auto rank = static_cast<std::size_t>(current_rank());
  return rank < all.size() ? all[rank] : 1;
}

ThreadTimes g_threads;                                          // since the last timer was started
std::unordered_map<const_xbt_os_timer_t, double> g_correction;  // s, by timer, of what it shows

}  // namespace
}  // namespace strata::sim

extern "C" {

void xbt_os_threadtimer_start(xbt_os_timer_t timer) {
  static const auto next = strata::sim::behind(xbt_os_threadtimer_start, "xbt_os_threadtimer_start");
  if (strata::sim::is_measured()) strata::sim::g_threads.start();
  next(timer);
}

void xbt_os_threadtimer_stop(xbt_os_timer_t timer) {
  static const auto next = strata::sim::behind(xbt_os_threadtimer_stop, "xbt_os_threadtimer_stop");
  static const auto shown = strata::sim::behind(xbt_os_timer_elapsed, "xbt_os_timer_elapsed");
  next(timer);
  if (!strata::sim::is_measured()) return;
  strata::sim::g_correction.erase(timer);
  const double own = shown(timer);
  strata::sim::g_correction[timer] = strata::sim::g_threads.since_start(own, strata::sim::cores()) - own;
}

double xbt_os_timer_elapsed(const_xbt_os_timer_t timer) {
  static const auto next = strata::sim::behind(xbt_os_timer_elapsed, "xbt_os_timer_elapsed");
  const auto correction = strata::sim::g_correction.find(timer);
  return next(timer) + (correction == strata::sim::g_correction.end() ? 0 : correction->second);
}
}
