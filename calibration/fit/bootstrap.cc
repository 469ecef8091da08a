// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/fit/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <utility>

namespace strata::calibration {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kTail = 0.025;  // on each side

// Gives the same results on every system, unlike std::uniform_int_distribution. The bias is below 1e-15 here.
size_t draw(std::mt19937_64& random, size_t n) { return random() % n; }

Interval percentiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = [&](double part) {
    const double position = part * last;
    const auto below = static_cast<size_t>(position);
    const size_t above = std::min(below + 1, values.size() - 1);
    const double rest = position - static_cast<double>(below);
    return values[below] == values[above] ? values[below] : (1 - rest) * values[below] + rest * values[above];
  };
  return {at(kTail), at(1 - kTail)};
}

// The logarithms of measured / fitted by x, with mean 0, stretched as described in bootstrap.h.
std::vector<double> residuals(const std::map<double, std::vector<double>>& by_x, const BootstrapOf& of) {
  std::vector<double> logs;
  double mean = 0;
  for (const auto& [x, values] : by_x) {
    logs.push_back(std::log(median(values) / of.fitted(x)));
    mean += logs.back() / static_cast<double>(by_x.size());
  }
  const auto n = static_cast<double>(logs.size());
  const double stretch = n > of.parameters ? std::sqrt(n / (n - of.parameters)) : 1;
  for (double& l : logs) l = stretch * (l - mean);
  return logs;
}

}  // namespace

std::vector<Interval> bootstrap(std::span<const Sample> samples, const BootstrapOf& of, int rounds) {
  std::map<double, std::vector<double>> by_x;
  for (const Sample& s : samples) by_x[s.x].push_back(s.y);
  const bool repeated = std::any_of(by_x.begin(), by_x.end(), [](const auto& x) { return x.second.size() > 1; });
  if (!repeated && static_cast<int>(by_x.size()) <= of.parameters) return {};
  const std::vector<double> logs = residuals(by_x, of);
  std::mt19937_64 random(kSeed);
  std::vector<std::vector<double>> drawn;  // by figure
  std::vector<Sample> again;
  std::vector<double> of_x;
  int fitted = 0;
  for (int round = 0; round < rounds; ++round) {
    again.clear();
    for (const auto& [x, values] : by_x) {
      if (values.size() == 1) {
        again.push_back({x, of.fitted(x) * std::exp(logs[draw(random, logs.size())])});
        continue;
      }
      of_x.clear();
      for (size_t i = 0; i < values.size(); ++i) of_x.push_back(values[draw(random, values.size())]);
      again.push_back({x, median(of_x)});
    }
    const std::optional<std::vector<double>> figures = of.figures(again);
    if (!figures) continue;
    ++fitted;
    drawn.resize(figures->size());
    for (size_t i = 0; i < figures->size(); ++i) drawn[i].push_back((*figures)[i]);
  }
  if (2 * fitted < rounds) return {};
  std::vector<Interval> intervals;
  for (std::vector<double>& values : drawn) intervals.push_back(percentiles(std::move(values)));
  return intervals;
}

std::optional<Interval> interval_of_median(std::span<const double> values, int rounds) {
  if (values.size() < 2) return std::nullopt;
  std::vector<Sample> samples;
  for (const double v : values) samples.push_back({0, v});
  const double middle = median({values.begin(), values.end()});
  const BootstrapOf of{.fitted = [&](double) { return middle; },
                       .parameters = 1,
                       .figures = [](std::span<const Sample> s) { return std::optional(std::vector{s.front().y}); }};
  return bootstrap(samples, of, rounds).front();
}

}  // namespace strata::calibration
