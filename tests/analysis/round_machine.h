// SPDX-License-Identifier: LGPL-2.1-only
// A machine with round figures for messages.
#pragma once

#include "platforms/machine.h"

namespace strata::analysis {

/// Two nodes of two cores. Between nodes: a latency of 2 us, during half of which the sender is busy, and 1 GB/s.
/// Within a node: 1 us, no overhead, and 2 GB/s. The bandwidth of a link equals that of a message. Messages of at least
/// 4 KiB wait for their receiver. A core takes 1 ns per flop.
inline Machine round_machine() {
  Machine m = machine_from_tree("node:2 core:2");
  m.name = "round";
  const auto set = [](Figure& f, double value, const char* unit, double factor) {
    f = {value, unit, "assumed: a round figure", value * factor};
  };
  set(m.core_speed, 1, "Gflop/s", 1e9);
  set(m.eager_limit, 4, "KiB", 1024);
  for (LevelCosts& c : m.levels) {
    const bool network = c.level == kClusterName;
    set(c.latency, network ? 2 : 1, "us", 1e-6);
    set(c.overhead, network ? 1 : 0, "us", 1e-6);
    set(c.bandwidth, network ? 1 : 2, "GB/s", 1e9);
    c.link_bandwidth = c.bandwidth;
  }
  return m;
}
inline constexpr double kNetworkWire = 1e-6;  // s: from the end of the overhead to the first byte

}  // namespace strata::analysis
