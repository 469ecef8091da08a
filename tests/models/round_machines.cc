// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/models/round_machines.h"

#include <stdexcept>

namespace strata::models {
namespace {

Figure figure(double value, const std::string& unit, double factor) {
  return {.value = value, .unit = unit, .source = "assumed: chosen by a test", .si = value * factor};
}

void set(LevelCosts& level, const TestCosts& costs) {
  level.latency = microseconds(costs.latency_us);
  level.overhead = microseconds(costs.overhead_us);
  level.bandwidth = gigabytes_per_s(costs.bandwidth_gbs);
  level.link_bandwidth = gigabytes_per_s(costs.link_gbs);
}

}  // namespace

Machine uniform_machine(const std::string& line, const TestCosts& costs) {
  Machine machine = machine_from_tree(line);
  for (LevelCosts& level : machine.levels) set(level, costs);
  machine.copy_bandwidth = figure(2, "GB/s", 1e9);
  machine.eager_limit = figure(1000, "B", 1);
  return machine;
}

void set_costs(Machine& machine, const std::string& name, const TestCosts& costs) {
  set(level_of(machine, name), costs);
}

LevelCosts& level_of(Machine& machine, const std::string& name) {
  for (LevelCosts& level : machine.levels) {
    if (level.level == name) return level;
  }
  throw std::logic_error("no level " + name);
}

Figure microseconds(double value) { return figure(value, "us", 1e-6); }
Figure gigabytes_per_s(double value) { return figure(value, "GB/s", 1e9); }

Segment segment(double from_bytes, const TestCosts& costs) {
  return {.from = figure(from_bytes, "B", 1),
          .latency = microseconds(costs.latency_us),
          .overhead = microseconds(costs.overhead_us),
          .bandwidth = gigabytes_per_s(costs.bandwidth_gbs)};
}

}  // namespace strata::models
