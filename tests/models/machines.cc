// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/models/machines.h"

#include <stdexcept>

namespace strata::models {
namespace {

Figure figure(double value, const std::string& unit, double factor) {
  return {.value = value, .unit = unit, .source = "assumed: chosen by a test", .si = value * factor};
}

void set(LevelCosts& level, const TestCosts& costs) {
  level.latency = figure(costs.latency_us, "us", 1e-6);
  level.overhead = figure(costs.overhead_us, "us", 1e-6);
  level.bandwidth = figure(costs.bandwidth_gbs, "GB/s", 1e9);
  level.link_bandwidth = figure(costs.link_gbs, "GB/s", 1e9);
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
  for (LevelCosts& level : machine.levels) {
    if (level.level == name) return set(level, costs);
  }
  throw std::logic_error("no level " + name);
}

}  // namespace strata::models
