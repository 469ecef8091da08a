// SPDX-License-Identifier: LGPL-2.1-only
// The routes that SimGrid gets when it asks are those of messages: RouteTree's links, with the latency of the level and
// of the hops.
#include "sim/plugin/machine_zone.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "flow/route_tree.h"
#include "platforms/core_name.h"
#include "platforms/fabric.h"
#include "platforms/machine.h"
#include "tests/command/strata_process.h"
#include "tests/platforms/fabric_machines.h"

namespace strata::sim {
namespace {

// Runs in its own process, because a process can have only one SimGrid engine. Exits with 0 if all routes are right.
[[noreturn]] void check_routes(const Machine& machine, int pairs) {
  static int argc = 2;
  static char name[] = "routes", quiet[] = "--log=root.thres:error";
  static char* argv[] = {name, quiet, nullptr};
  const simgrid::s4u::Engine engine(&argc, argv);
  const auto* zone = new MachineZone(machine);  // the engine ends with the process
  const flow::RouteTree tree(machine);
  constexpr unsigned kSeed = 7;
  std::mt19937 random(kSeed);
  const auto host = [&](int core) { return engine.host_by_name(core_name(*machine.topology, core)); };
  for (int i = 0; i < pairs; ++i) {
    const int a = static_cast<int>(random() % tree.num_cores()), b = static_cast<int>(random() % tree.num_cores());
    if (a == b) continue;
    std::vector<simgrid::s4u::Link*> route;
    double latency_s = 0;
    host(a)->route_to(host(b), route, &latency_s);
    std::vector<int> links;
    const flow::RouteTree::Way way = tree.find_way(a, b, links);
    const LevelCosts& costs = *tree.stops()[way.meet].costs;
    double expected_s = costs.latency.si - zone->send_overhead(0, host(a), host(b));
    if (way.hops > 0) expected_s += way.hops * machine.fabric->hop_latency.si;
    bool right = route.size() == links.size() && std::abs(latency_s - expected_s) < 1e-15;
    for (size_t l = 0; right && l < links.size(); ++l) {
      const int fabric_link = links[l] - tree.first_fabric_link();
      right = route[l]->get_bandwidth() == tree.link_bandwidth(links[l]) &&
              (fabric_link < 0 || route[l]->get_name() == machine.fabric->fabric->describe(fabric_link));
    }
    if (right) continue;
    std::fprintf(stderr, "wrong route from core %d to %d\n", a, b);
    std::_Exit(1);
  }
  std::_Exit(0);
}

TEST(MachineZoneDeathTest, TellsSimGridTheWaysOfMessages) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const TemporaryFolder folder;
  folder.write("fabric.txt", kSwitchesFile);
  for (const std::string& yaml : {kTorusYaml, kDragonflyYaml, kFatTreeYaml, kSwitchesYaml}) {
    const Machine machine = load_machine(folder.write("machine.yaml", yaml));
    EXPECT_EXIT(check_routes(machine, 5000), testing::ExitedWithCode(0), "") << machine.name;
  }
  EXPECT_EXIT(check_routes(machine_from_tree("switch:2 node:3 pack:2 core:2"), 500), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace strata::sim
