// SPDX-License-Identifier: LGPL-2.1-only
// A machine on which messages cost round figures.
#pragma once

#include "platforms/machine.h"

namespace strata::analysis {

/// Two nodes of two cores. Between nodes: 2 us of latency, half of which the sender is busy, and 1 GB/s; within a node
/// 1 us, no overhead, and 2 GB/s. A link carries as much as one message gets. Messages from 4 KiB on wait for their
/// receiver. A core does a flop in 1 ns.
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
