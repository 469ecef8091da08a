// SPDX-License-Identifier: LGPL-2.1-only
// The means of a quantity in equal steps of a time window, for example of the bytes in flight at a level of the
// machine. A quantity that is 8 from 0.5 s to 1.25 s, and 0 otherwise, has means 4 and 2 in the first two steps of 1 s.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace strata {

class StepMeans {
 public:
  /// Called in order of time with a step's start and mean, for each step whose mean differs from that of the previous
  /// step. Before the first step the mean is 0.
  using Take = std::function<void(double begin, double mean)>;

  StepMeans(double from, double to, int steps, Take take)
      : from_(from), width_((to - from) / steps), steps_(steps), take_(std::move(take)), time_(from) {}

  /// Adds `difference` to the quantity from `time` on. Times must not decrease.
  void add(double time, std::int64_t difference);
  /// The end of the window.
  void finish(double time);

 private:
  void advance(double time);
  void close_step();

  double from_, width_;
  int steps_;
  Take take_;
  double time_;           // integral_ is up to here
  double integral_ = 0;   // over this step
  bool changed_ = false;  // in this step
  std::int64_t now_ = 0;
  int step_ = 0;
  double last_ = 0;  // mean
};

}  // namespace strata
