// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/fit/exchange.h"

#include <algorithm>

#include "calibration/fit/sample.h"

namespace strata::calibration {
std::optional<double> receive_overhead_of_exchange(double exchange_s, double latency_s, double overhead_s) {
  const double longer_s = exchange_s - latency_s;
  if (longer_s <= kClearly * overhead_s) return std::nullopt;
  const double wire_s = latency_s - overhead_s - longer_s;
  return wire_s >= overhead_s ? longer_s                      // the second message arrives while the first is taken
                              : exchange_s / 2 - overhead_s;  // both are there when both are sent
}

double overhead_of_exchange(double exchange_s, double latency_s) {
  const double longer_s = exchange_s - latency_s;
  return std::max(0.0, longer_s <= latency_s / 3 ? longer_s : exchange_s / 4);
}

}  // namespace strata::calibration
