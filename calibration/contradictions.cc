// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/contradictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "calibration/evidence.h"
#include "calibration/fit/sample.h"

namespace strata::calibration {
namespace {

std::string text_of(Operation operation, double value) {
  switch (operation) {
    case Operation::kOneWay:
    case Operation::kBothWays:
    case Operation::kCopy:
    case Operation::kTriad:
    case Operation::kDaxpy:
      return digits(value * 1e-9, 4) + " GB/s";
    case Operation::kRate:
      return digits(value, 4) + " messages/s";
    default:
      return digits(value * 1e6, 4) + " us";
  }
}

struct Worst {
  double ratio = 0, bytes = 0, first = 0, second = 0;
  int at_once = 1;
  int places = 0;  // number of combinations of size and number at once
};

}  // namespace

std::vector<std::string> contradictions(const std::vector<Measurement>& measurements) {
  using Place = std::tuple<Operation, std::string, double, int>;  // level, bytes, number at once
  std::map<Place, std::map<std::string, std::vector<double>>> values;
  for (const Measurement& m : measurements)
    values[{m.operation, m.level, m.bytes, m.at_once}][file_of(m)].push_back(m.value);
  std::map<std::tuple<Operation, std::string, std::string, std::string>, Worst> worst;  // level, files
  for (const auto& [place, files] : values) {
    const auto& [operation, level, bytes, at_once] = place;
    for (auto a = files.begin(); a != files.end(); ++a) {
      for (auto b = std::next(a); b != files.end(); ++b) {
        const double first = median(a->second), second = median(b->second);
        const double ratio = std::max(first, second) / std::min(first, second);
        if (ratio <= kContradiction) continue;
        Worst& w = worst[{operation, level, a->first, b->first}];
        const int places = w.places + 1;
        if (ratio > w.ratio) w = {ratio, bytes, first, second, at_once, 0};
        w.places = places;
      }
    }
  }
  std::vector<std::string> lines;
  for (const auto& [of, w] : worst) {
    const auto& [operation, level, a, b] = of;
    const std::string where = level.empty() ? "" : " at " + level;
    const std::string others = w.places > 1 ? fmt::format(" (the worst of {} such places)", w.places) : "";
    lines.push_back(fmt::format("{} and {} contradict each other: {}{} of {} B, {} at once: {} and {}{}; both are used",
                                a, b, name_of(operation), where, w.bytes, w.at_once, text_of(operation, w.first),
                                text_of(operation, w.second), others));
  }
  return lines;
}

}  // namespace strata::calibration
