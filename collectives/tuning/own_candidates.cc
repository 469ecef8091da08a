// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/own_candidates.h"

#include <fmt/format.h>

#include "collectives/tuning/candidates.h"

namespace strata::collectives {

std::vector<OwnCandidate> own_candidates(const Cell& cell, OwnFamily family) {
  std::vector<OwnCandidate> all;
  for (const OwnAlgorithm& a : own_algorithms()) {
    if (a.operation != cell.operation || a.family != family) continue;
    if (family == OwnFamily::kSplitTree) {
      for (const int arity : kArities) {
        all.push_back({a, {.fanout = arity}});
        if (a.looks_at_nodes) all.push_back({a, {.fanout = arity}, true});
      }
      continue;
    }
    all.push_back({a, {}});
    for (const std::int64_t segment : kSegments) {
      if (a.has_segments && has_segments(cell.bytes, segment)) all.push_back({a, {.segment_bytes = segment}});
    }
  }
  return all;
}

std::string text_of(const OwnCandidate& c) {
  if (c.algorithm.family == OwnFamily::kSplitTree) {
    return fmt::format("m = {}{}", c.settings.fanout, c.over_nodes ? ", over nodes" : "");
  }
  if (c.settings.segment_bytes == 0) return c.algorithm.name;
  return fmt::format("{}, segments of {} B", c.algorithm.name, c.settings.segment_bytes);
}

}  // namespace strata::collectives
