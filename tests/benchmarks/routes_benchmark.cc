// SPDX-License-Identifier: LGPL-2.1-only
// Routes per second: the tree's own meet(), and whole routes through SimGrid (s4u::Host::route_to), compared in the
// same run with SimGrid's flat cluster (a star zone: one link up, one down) with as many hosts.
//   bazel run -c opt //tests/benchmarks:routes_benchmark
//
// Each repetition measures both one after the other, each in a separate process. The benchmark's time is ours.
#include <benchmark/benchmark.h>

#include <chrono>
#include <random>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "flow/route_tree.h"
#include "platforms/core_name.h"
#include "platforms/machine.h"
#include "sim/launcher/scratch.h"
#include "sim/plugin/machine_zone.h"
#include "tests/benchmarks/measured_child.h"
#include "tests/benchmarks/simulated.h"

namespace strata::benchmarks {
namespace {

constexpr int kLookUps = 1'000'000;  // per repetition
constexpr int kPairs = 65'536;       // random pairs of different hosts, used repeatedly

Machine machine(int which) { return which == 0 ? ntw10e5_of(10) : wide_nodes(128); }

std::vector<std::pair<int, int>> random_pairs(int hosts) {
  std::mt19937 random(1);
  std::vector<std::pair<int, int>> pairs;
  while (pairs.size() < kPairs) {
    const int a = static_cast<int>(random() % hosts), b = static_cast<int>(random() % hosts);
    if (a != b) pairs.emplace_back(a, b);
  }
  return pairs;
}

struct LookUps {
  double seconds;  // for kLookUps routes
  double links;    // mean number per route
};

// Called in the child: looks up kLookUps routes between `hosts`.
std::string look_up(const std::vector<simgrid::s4u::Host*>& hosts) {
  const auto pairs = random_pairs(static_cast<int>(hosts.size()));
  std::vector<simgrid::s4u::Link*> route;
  size_t links = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kLookUps; ++i) {
    const auto& [a, b] = pairs[i % kPairs];
    double latency = 0;
    route.clear();
    hosts[a]->route_to(hosts[b], route, &latency);
    links += route.size();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return std::to_string(took.count()) + " " + std::to_string(static_cast<double>(links) / kLookUps);
}

LookUps parse(const std::string& said) {
  size_t used = 0;
  const double seconds = std::stod(said, &used);
  return {seconds, std::stod(said.substr(used))};
}

simgrid::s4u::Engine make_engine() {
  static int argc = 2;
  static char name[] = "routes", quiet[] = "--log=root.thres:error";
  static char* argv[] = {name, quiet, nullptr};
  return simgrid::s4u::Engine(&argc, argv);
}

LookUps machine_zone(const Machine& m) {
  return parse(run_in_child([&] {
                 const simgrid::s4u::Engine engine = make_engine();
                 const auto* zone = new sim::MachineZone(m);  // not deleted: the engine ends with the process
                 (void)zone;
                 std::vector<simgrid::s4u::Host*> hosts;
                 for (size_t core = 0; core < m.topology->cores().size(); ++core) {
                   hosts.push_back(engine.host_by_name(core_name(*m.topology, static_cast<int>(core))));
                 }
                 return look_up(hosts);
               }).said);
}

LookUps flat_cluster_zone(int size) {
  return parse(run_in_child([&] {
                 const simgrid::s4u::Engine engine = make_engine();
                 const sim::ScratchFolder folder;
                 const std::string file = folder.path() / "flat.xml";
                 write_flat_cluster(file, size, 1e9, 1e9, 0);
                 engine.load_platform(file);
                 std::vector<simgrid::s4u::Host*> hosts;
                 for (int i = 0; i < size; ++i) hosts.push_back(engine.host_by_name("host" + std::to_string(i)));
                 return look_up(hosts);
               }).said);
}

void BM_Route(benchmark::State& state) {
  const Machine m = machine(static_cast<int>(state.range(0)));
  const int cores = static_cast<int>(m.topology->cores().size());
  std::vector<double> ours, flat;
  double links = 0;
  for (auto _ : state) {
    const LookUps mine = machine_zone(m);
    ours.push_back(mine.seconds);
    flat.push_back(flat_cluster_zone(cores).seconds);
    links = mine.links;
    state.SetIterationTime(mine.seconds);
  }
  state.counters["routes/s"] = kLookUps / minimum(ours);
  state.counters["flat routes/s"] = kLookUps / minimum(flat);
  state.counters["ratio"] = minimum(ours) / minimum(flat);
  state.counters["links"] = links;
  state.SetLabel(std::to_string(cores) + " cores");
}
BENCHMARK(BM_Route)->DenseRange(0, 1)->Iterations(7)->UseManualTime()->Unit(benchmark::kMillisecond);

void BM_Meet(benchmark::State& state) {
  const Machine m = machine(static_cast<int>(state.range(0)));
  const flow::RouteTree tree(m);
  const auto pairs = random_pairs(tree.num_cores());
  size_t i = 0;
  for (auto _ : state) {
    const auto& [a, b] = pairs[i++ % kPairs];
    benchmark::DoNotOptimize(tree.meet(a, b));
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel(std::to_string(tree.num_cores()) + " cores");
}
BENCHMARK(BM_Meet)->DenseRange(0, 1);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
