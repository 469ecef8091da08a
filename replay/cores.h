// SPDX-License-Identifier: LGPL-2.1-only
// Time that ranks spend without messages: sleeping, and computing on a core that ranks may share. Two ranks that
// compute on one core at the same time take twice as long each.
//
// If several begin at one moment and end at one moment, sleepers end in reverse order of their beginning, and
// computations end after them in order of their beginning. SimGrid does the same (Model::next_occurring_event_lazy and
// CpuCas01::sleep in versions 3.32 and 4.0), and this order decides which rank is first at a network card.
#pragma once

#include <vector>

#include "flow/calendar.h"

namespace strata::replay {

class Cores {
 public:
  /// `core_of` by rank; `speed` of a core, flop/s. Events that are less than `precision_s` apart happen together.
  Cores(std::vector<int> core_of, double speed, double precision_s);

  /// The rank sleeps until that time, s; computes that many flop from now on. A rank does one of them at a time.
  void sleep(int rank, double until) { sleepers_.push_back({rank, until}); }
  void compute(int rank, double flops, double now);

  /// s from `now` to the next end; negative: none. Call this before time advances.
  double until_next(double now);
  /// Calls ended(rank) for each rank that ends at this time.
  template <class Ended>
  void advance(double now, Ended&& ended) {
    while (!events_.empty()) {
      const double left = events_.first_date() - now;
      if (left >= precision_s_ || left <= -precision_s_) break;
      const int rank = events_.pop();
      leave(rank, now);
      ended(rank);
    }
  }

 private:
  struct Job {
    int rank;
    double left;  // flop, at `updated_s`
    double updated_s;
  };
  struct Sleeper {
    int rank;
    double until_s;
  };
  void leave(int rank, double now);
  void settle(int core, double now);

  const std::vector<int> core_of_;
  const double speed_, precision_s_;
  std::vector<std::vector<Job>> jobs_;  // by core
  std::vector<bool> computes_;          // by rank
  std::vector<Sleeper> sleepers_;       // that have begun since the last until_next()
  std::vector<int> changed_;            // cores whose jobs have changed since then, each once
  std::vector<bool> is_changed_;        // by core
  flow::Calendar events_;               // by rank
};

}  // namespace strata::replay
