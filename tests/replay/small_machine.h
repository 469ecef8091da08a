// SPDX-License-Identifier: LGPL-2.1-only
// A machine with figures from which a reader can work out times: two nodes of two cores. A message of n bytes, which
// has 16 B more on the wire, takes
//
//   between nodes    10 us + (n + 16) ns       of which the sender's overhead is 2 us
//   within a node     1 us + (n + 16) / 4 ns   of which the sender's overhead is 0.25 us
//
// SMPI charges the overhead only if the sender continues before the receiver is ready: to eager and nonblocking sends.
// Messages of 1000 B and more wait for their receiver. A core computes a flop and copies 2 B in a nanosecond.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/trace/trace.h"
#include "replay/engine.h"

namespace strata::replay {

inline constexpr double kMicrosecond = 1e-6;

/// With another tree, the outermost level has the figures of messages between nodes.
inline Machine small_machine(const std::string& tree = "node:2 core:2 pu:1") {
  const auto figure = [](double si, const char* unit) {
    return Figure{.value = si, .unit = unit, .source = "assumed: for a test", .si = si};
  };
  Machine m = machine_from_tree(tree);
  m.core_speed = figure(1e9, "flop/s");
  m.copy_bandwidth = figure(2e9, "B/s");
  m.stated_combine_bandwidth.reset();
  m.eager_limit = figure(1000, "B");
  m.memory.reset();
  for (LevelCosts& c : m.levels) {
    const bool inside = &c != &m.levels.front();  // the outermost level is the network
    c.latency = figure((inside ? 1 : 10) * kMicrosecond, "s");
    c.overhead = figure((inside ? 0.25 : 2) * kMicrosecond, "s");
    c.bandwidth = c.link_bandwidth = figure(inside ? 4e9 : 1e9, "B/s");
    c.segments.clear();
    c.duplex_bandwidth.reset();
    c.gap.reset();
  }
  return m;
}

/// The times at which ranks end, in microseconds. Rank r runs on core r; cores 0 and 1 are on a node, 2 and 3 on the
/// other.
inline std::vector<double> ends_us(const Trace& trace, const Machine& machine = small_machine()) {
  std::vector<double> ends = replay(trace, machine, trace.cores).ended;
  for (double& end : ends) end /= kMicrosecond;
  return ends;
}

}  // namespace strata::replay
