// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/point_bars.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/units.h"
#include "sim/launcher/failure.h"
#include "sim/launcher/run.h"

namespace strata::sim {
namespace {

bool is_time_or_rate(const std::string& unit) { return unit_factor("time", unit) > 0 || unit.ends_with("/s"); }

// All but the value.
Json identity_of(Json line) {
  line.erase("value");
  return line;
}

}  // namespace

PointBars::PointBars(std::shared_ptr<const replay::Ends> ends)
    : ends_(std::move(ends)), machines_(ends_->machines()), lines_(runs()) {}

void PointBars::add(std::size_t run, std::vector<Json> lines) {
  lines_.at(run) = std::move(lines);
  ++added_;
}

std::vector<std::optional<RecordedBar>> PointBars::bars() const {
  std::vector<std::optional<RecordedBar>> bars(lines().size());
  if (ends_->figures.empty()) return bars;
  for (std::size_t run = 1; run < runs(); ++run) {
    for (const Json& line : lines_[run]) require_measurement(line, "a point with " + change(run));
    const auto same = [](const Json& a, const Json& b) { return identity_of(a) == identity_of(b); };
    if (!std::equal(lines().begin(), lines().end(), lines_[run].begin(), lines_[run].end(), same)) {
      throw SimulationFailed("with " + change(run) +
                             ", the program measures other things than on the machine itself: there are no error bars; "
                             "leave error_bars out");
    }
  }
  for (std::size_t i = 0; i < lines().size(); ++i) {
    const double value = lines()[i]["value"];
    if (!is_time_or_rate(lines()[i]["unit"]) || value < 0) continue;
    std::vector<double> at_ends;
    for (std::size_t run = 1; run < runs(); ++run) at_ends.push_back(lines_[run][i]["value"]);
    bars[i] = recorded(replay::error_bar(*ends_, value, at_ends));
  }
  return bars;
}

}  // namespace strata::sim
