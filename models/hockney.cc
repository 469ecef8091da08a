// SPDX-License-Identifier: LGPL-2.1-only
#include "models/hockney.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace strata::models {
namespace {

void require_processes(int processes) {
  if (processes < 1) throw std::invalid_argument(std::to_string(processes) + " processes: a tree has at least 1");
}

// `count` times the time of one segment, if the message has `segments` segments.
Seconds times(double count, const HockneyCost& cost, Bytes m, int segments) {
  if (segments < 1) throw std::invalid_argument(std::to_string(segments) + " segments: a message has at least 1");
  return count * message_time(cost, Bytes(m.value / segments));
}

int ceil_log2(int n) { return std::bit_width(static_cast<unsigned>(n) - 1); }

}  // namespace

Seconds message_time(const HockneyCost& cost, Bytes m) { return cost.latency + m / cost.bandwidth; }

Seconds flat_tree_time(int processes, const HockneyCost& cost, Bytes m) {
  require_processes(processes);
  return (processes - 1.0) * message_time(cost, m);
}

Seconds binomial_tree_time(int processes, const HockneyCost& cost, Bytes m) {
  return segmented_binomial_time(processes, cost, m, 1);
}

Seconds segmented_binomial_time(int processes, const HockneyCost& cost, Bytes m, int segments) {
  require_processes(processes);
  return times(static_cast<double>(segments) * ceil_log2(processes), cost, m, segments);
}

Seconds pipeline_time(int processes, const HockneyCost& cost, Bytes m, int segments) {
  return chain_time(processes, 1, cost, m, segments);
}

Seconds chain_time(int processes, int chains, const HockneyCost& cost, Bytes m, int segments) {
  require_processes(processes);
  if (chains < 1) throw std::invalid_argument(std::to_string(chains) + " chains: there is at least 1");
  const int k = std::min(chains, processes - 1);
  if (k == 0) return Seconds(0);
  const int longest = (processes - 1 + k - 1) / k;
  return times(static_cast<double>(segments) * k + longest - 1, cost, m, segments);
}

Seconds binary_tree_time(int processes, const HockneyCost& cost, Bytes m, int segments) {
  require_processes(processes);
  if (processes == 1) return Seconds(0);
  return times(2.0 * (ceil_log2(processes + 1) - 2 + segments), cost, m, segments);
}

Seconds flat_tree_reduce_time(int processes, const HockneyCost& cost, BytesPerSecond combining, Bytes m) {
  require_processes(processes);
  return (processes - 1.0) * (message_time(cost, m) + m / combining);
}

Seconds binomial_reduce_time(int processes, const HockneyCost& cost, BytesPerSecond combining, Bytes m) {
  require_processes(processes);
  return static_cast<double>(ceil_log2(processes)) * (message_time(cost, m) + m / combining);
}

Seconds pipeline_reduce_time(int processes, const HockneyCost& cost, BytesPerSecond combining, Bytes m, int segments) {
  const Seconds messages = pipeline_time(processes, cost, m, segments);
  const double combinations = processes < 3 ? processes - 1 : processes - 2.0 + segments;
  return messages + combinations * (Bytes(m.value / segments) / combining);
}

Seconds hierarchical_flat_tree_time(std::span<const HockneyLevel> levels, Bytes m) {
  Seconds total;
  for (const HockneyLevel& level : levels) total = total + flat_tree_time(level.processes, level.cost, m);
  return total;
}

}  // namespace strata::models
