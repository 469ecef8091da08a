// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/printed_number.h"
#include "records/exchange/exchanged_words.h"
#include "records/launch.h"

namespace strata::sim {
namespace {

// Whether the simulator provides a metric: it has one of this name, and the program does not print it itself.
bool is_simulators(const Metric& metric, const std::vector<Json>& printed) {
  return metric.pattern.empty() && metric.name == kSimulatedTime && metric.unit == kSimulatedTimeUnit &&
         !prints(printed, metric.name);
}

}  // namespace

bool prints(const std::vector<Json>& lines, const std::string& metric) {
  return std::any_of(lines.begin(), lines.end(), [&](const Json& line) {
    return line.is_object() && line.contains("metric") && line["metric"] == metric;
  });
}

Measured measured(const std::vector<Metric>& metrics, const Outcome& outcome) {
  Measured m{.lines = outcome.lines, .failure = ""};
  const auto add = [&](const Metric& metric, double value) {
    m.lines.push_back({{"metric", metric.name}, {"value", value}, {"unit", metric.unit}});
  };
  for (const Metric& metric : metrics) {
    if (!metric.pattern.empty()) {
      const std::optional<PrintedNumber> found = last_number(metric.pattern, outcome.printed);
      if (!found) {
        m.failure = fmt::format("no line that the program printed matches '{}', the pattern of {}", metric.pattern,
                                metric.name);
        return m;
      }
      if (!found->value) {
        m.failure = fmt::format("'{}', the pattern of {}, found '{}', which is not a number", metric.pattern,
                                metric.name, found->text);
        return m;
      }
      add(metric, *found->value);
    } else if (is_simulators(metric, outcome.lines) && outcome.simulated_time) {
      add(metric, *outcome.simulated_time);
    }
  }
  return m;
}

size_t count_measured(const std::vector<Metric>& metrics, std::string_view output) {
  std::vector<Json> printed;
  for (const std::string& line : marked_lines(output)) printed.push_back(Json::parse(line, nullptr, false));
  return printed.size() + static_cast<size_t>(std::count_if(metrics.begin(), metrics.end(), [&](const Metric& metric) {
           return !metric.pattern.empty() || is_simulators(metric, printed);
         }));
}

std::vector<std::string> marked_lines(std::string_view output) {
  const std::string_view mark = words::kMark;
  std::vector<std::string> lines;
  while (!output.empty()) {
    const size_t end = std::min(output.find('\n'), output.size());
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    if (line.starts_with(mark)) lines.emplace_back(line.substr(mark.size()));
  }
  return lines;
}

}  // namespace strata::sim
