// SPDX-License-Identifier: LGPL-2.1-only
// A quantity that changes at moments, such as the bytes under way at a level of the machine, as its mean in each of the
// equal steps of a window of time. For example 8 from 0.5 s to 1.25 s, in steps of 1 s: 4, then 2.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace strata {

class StepMeans {
 public:
  /// Gets the begin of a step and its mean, in the order of time: of each step whose mean differs from the one before,
  /// which is 0 before the first.
  using Take = std::function<void(double begin, double mean)>;

  StepMeans(double from, double to, int steps, Take take)
      : from_(from), width_((to - from) / steps), steps_(steps), take_(std::move(take)), time_(from) {}

  /// From `time` on it is this much more. Times do not go back.
  void add(double time, std::int64_t difference);
  /// The end of the window.
  void finish(double time);

 private:
  void advance(double time);
  void close_step();

  double from_, width_;
  int steps_;
  Take take_;
  double time_;           // up to which integral_ reaches
  double integral_ = 0;   // over this step
  bool changed_ = false;  // in this step
  std::int64_t now_ = 0;
  int step_ = 0;
  double last_ = 0;  // mean
};

}  // namespace strata
