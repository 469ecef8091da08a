// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/segments.h"

#include <algorithm>

namespace strata {

namespace {

// At most the rest of the latency.
double receive_overhead_s(const std::optional<Figure>& stated, const Figure& latency, const Figure& overhead) {
  return stated ? std::min(stated->si, latency.si - overhead.si) : 0;
}

double rate(const std::optional<Figure>& stated) { return stated ? stated->si : 0; }

}  // namespace

bool fits_into_latency(const Figure& overhead, const Figure& receive_overhead, const Figure& latency) {
  constexpr double kRounding = 1e-12;
  return overhead.si + receive_overhead.si <= latency.si * (1 + kRounding);
}

MessageFigures figures_of(const LevelCosts& level, double payload_bytes) {
  const Segment* at = nullptr;
  for (const Segment& s : level.segments) {
    if (s.from.si <= payload_bytes) at = &s;
  }
  if (at != nullptr) {
    return {at->latency.si,
            at->overhead.si,
            at->bandwidth.si,
            receive_overhead_s(at->receive_overhead ? at->receive_overhead : level.receive_overhead, at->latency,
                               at->overhead),
            rate(at->send_copy),
            rate(at->receive_copy)};
  }
  return {level.latency.si,      level.overhead.si,
          level.bandwidth.si,    receive_overhead_s(level.receive_overhead, level.latency, level.overhead),
          rate(level.send_copy), rate(level.receive_copy)};
}

bool states_copies(const LevelCosts& level) {
  return level.send_copy || level.receive_copy ||
         std::any_of(level.segments.begin(), level.segments.end(),
                     [](const Segment& s) { return s.send_copy || s.receive_copy; });
}

double widest_bandwidth(const LevelCosts& level) {
  double widest = level.bandwidth.si;
  for (const Segment& s : level.segments) widest = std::max(widest, s.bandwidth.si);
  return widest;
}

}  // namespace strata
