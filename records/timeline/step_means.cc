// SPDX-License-Identifier: LGPL-2.1-only
#include "records/timeline/step_means.h"

#include <algorithm>
#include <cmath>

namespace strata {
namespace {

constexpr double kRounding = 1e-9;  // relative difference below which means are equal

}  // namespace

void StepMeans::advance(double time) {
  for (; step_ + 1 < steps_ && time >= from_ + width_ * (step_ + 1); close_step()) {
    const double end = from_ + width_ * (step_ + 1);
    integral_ += static_cast<double>(now_) * (end - time_);
    time_ = end;
  }
  integral_ += static_cast<double>(now_) * (time - time_);
  time_ = time;
}

void StepMeans::close_step() {
  const auto constant = static_cast<double>(now_);
  const double mean = !changed_ || width_ <= 0 ? constant : integral_ / width_;
  changed_ = false;
  if (std::abs(mean - last_) > kRounding * std::max(mean, last_)) {
    take_(from_ + width_ * step_, mean);
    last_ = mean;
  }
  integral_ = 0;
  ++step_;
}

void StepMeans::add(double time, std::int64_t difference) {
  advance(time);
  changed_ = true;
  now_ += difference;
}

void StepMeans::finish(double time) {
  advance(time);
  close_step();
}

}  // namespace strata
