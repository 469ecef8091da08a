// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/fit/sample.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
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

std::vector<Sample> grouped(std::span<const Sample> samples, int most) {
  std::set<double> xs;
  for (const Sample& s : samples) xs.insert(s.x);
  std::vector<Sample> result(samples.begin(), samples.end());
  if (static_cast<int>(xs.size()) <= most) return result;
  const double least = *xs.upper_bound(0), range = std::log(*xs.rbegin() / least);
  const int groups = most - 1;
  const auto group = [&](double x) {
    return x <= 0 ? -1 : std::min(groups - 1, static_cast<int>(std::log(x / least) / range * groups));
  };
  std::map<int, std::vector<double>> of_group;
  for (const Sample& s : samples) of_group[group(s.x)].push_back(s.x);
  std::map<int, double> middle;
  for (auto& [at, values] : of_group) middle[at] = median(std::move(values));
  for (Sample& s : result) s.x = middle[group(s.x)];
  return result;
}

}  // namespace strata::calibration
