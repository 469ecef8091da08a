// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/level_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace strata::calibration {

std::string level_names(const Machine& m) {
  std::vector<std::string> names;
  for (const LevelCosts& c : m.levels) names.push_back(c.level);
  return fmt::format("{}", fmt::join(names, ", "));
}

void require_level(const Machine& m, const std::string& level, const std::string& where) {
  const bool known =
      std::any_of(m.levels.begin(), m.levels.end(), [&](const LevelCosts& c) { return c.level == level; });
  if (known) return;
  const bool one = m.topology->num_nodes() == 1;
  throw InputError(where, "no two cores of this machine meet at level '" + level + "'",
                   m.levels.empty()
                       ? "it has only one core"
                       : "they meet at " + level_names(m) + (one ? "; between nodes with --nodes 2 or more" : ""));
}

}  // namespace strata::calibration
