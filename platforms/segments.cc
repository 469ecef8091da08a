// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/segments.h"

#include <algorithm>

namespace strata {

MessageFigures figures_of(const LevelCosts& level, double payload_bytes) {
  const Segment* at = nullptr;
  for (const Segment& s : level.segments) {
    if (s.from.si <= payload_bytes) at = &s;
  }
  if (at != nullptr) return {at->latency.si, at->overhead.si, at->bandwidth.si};
  return {level.latency.si, level.overhead.si, level.bandwidth.si};
}

double widest_bandwidth(const LevelCosts& level) {
  double widest = level.bandwidth.si;
  for (const Segment& s : level.segments) widest = std::max(widest, s.bandwidth.si);
  return widest;
}

}  // namespace strata
