// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/fit/sample.h"

#include <algorithm>
#include <map>
#include <utility>

namespace strata::calibration {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::vector<Sample> medians(std::span<const Sample> samples) {
  std::map<double, std::vector<double>> by_x;
  for (const Sample& s : samples) by_x[s.x].push_back(s.y);
  std::vector<Sample> result;
  result.reserve(by_x.size());
  for (auto& [x, values] : by_x) result.push_back({x, median(std::move(values))});
  return result;
}

}  // namespace strata::calibration
