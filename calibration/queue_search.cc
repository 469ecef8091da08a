// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/queue_search.h"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "calibration/fit/bootstrap.h"
#include "calibration/fit/sample.h"

namespace strata::calibration {
namespace {

std::optional<double> slope(std::span<const Sample> samples) {
  const std::vector<Sample> points = medians(samples);
  if (points.size() < 2) return std::nullopt;
  return (points.back().y - points.front().y) / (points.back().x - points.front().x);
}

}  // namespace

std::optional<Estimate> estimate_queue_search(const Evidence& searches) {
  const std::vector<Sample> samples = by_number(searches);
  const std::optional<double> entry_s = slope(samples);
  if (!entry_s) return std::nullopt;
  const Sample first = medians(samples).front();
  const std::vector<Interval> intervals = bootstrap(
      samples,
      {.fitted =
           [&](double x) { return std::max(first.y + *entry_s * (x - first.x), std::numeric_limits<double>::min()); },
       .parameters = 2,
       .figures = [](std::span<const Sample> again) -> std::optional<std::vector<double>> {
         const std::optional<double> s = slope(again);
         return s ? std::optional(std::vector{*s}) : std::nullopt;
       }});
  return Estimate{*entry_s, intervals.empty() ? std::nullopt : std::optional(intervals[0]), searches};
}

}  // namespace strata::calibration
