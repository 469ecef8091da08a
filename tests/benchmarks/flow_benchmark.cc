// SPDX-License-Identifier: LGPL-2.1-only
// How many messages a second the flow model alone takes (flow/), without ranks and without SimGrid: routes, latencies,
// shares, ends.
//   bazel run -c opt //tests/benchmarks:flow_benchmark
//
// Machines: `flat`, a node a core under one switch, where no link is shared, and `ntw10e5`, nodes of 24 cores with that
// machine's costs. Patterns, in which a message follows when one has arrived:
//   one      one message at a time
//   stream   each core has one under way, of any size up to 16 KiB, to any other core: no two events are at one time
//   halo     each core has one of 8 KiB under way to each of four neighbours; all begin at the same time
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "flow/machine_flows.h"
#include "platforms/machine.h"
#include "tests/benchmarks/simulated.h"

namespace strata::benchmarks {
namespace {

enum MachineKind { kFlat, kNtw10e5 };
enum Pattern { kOne, kStream, kHalo };
constexpr double kPrecision = 1e-12;  // s

Machine machine(int kind, int cores) {
  if (kind == kFlat) return flat_nodes(cores);
  Machine m = ntw10e5_of((cores + 23) / 24);
  m.memory.reset();
  return m;
}

class Exchange {
 public:
  Exchange(const Machine& machine, int cores, int pattern)
      : flows_(machine, kPrecision), cores_(cores), pattern_(pattern) {
    const int side = static_cast<int>(std::lround(std::sqrt(cores)));
    for (int c = 0; c < (pattern == kOne ? 1 : cores); ++c) {
      const int x = c % side, y = c / side;
      const std::array<int, 4> neighbours = {y * side + (x + 1) % side, y * side + (x + side - 1) % side,
                                             (y + 1) % side * side + x, (y + side - 1) % side * side + x};
      for (int i = 0; i < (pattern == kHalo ? 4 : 1); ++i) start(c, neighbours[i]);
    }
  }

  // Until the next event at which messages arrive; how many.
  int go_on() {
    int arrived = 0;
    while (arrived == 0) {
      now_ += flows_.flows().until_next(now_);
      flows_.flows().advance(now_, [&](int id) {
        ++arrived;
        const auto [from, to] = ends_[id];
        start(from, pattern_ == kHalo ? to : static_cast<int>(random_() % static_cast<unsigned>(cores_)));
      });
    }
    return arrived;
  }

 private:
  void start(int from, int to) {
    constexpr double kBytes = 8192;
    const double bytes = pattern_ == kHalo ? kBytes : static_cast<double>(random_() % 16384);
    const int id = flows_.start_message(from, from == to ? (to + 1) % cores_ : to, bytes, now_);
    if (ends_.size() <= static_cast<size_t>(id)) ends_.resize(static_cast<size_t>(id) + 1);
    ends_[id] = {from, to};
  }

  flow::MachineFlows flows_;
  const int cores_, pattern_;
  std::vector<std::pair<int, int>> ends_;  // by number
  std::minstd_rand random_{1};
  double now_ = 0;
};

void BM_Messages(benchmark::State& state) {
  const int kind = static_cast<int>(state.range(0)), cores = static_cast<int>(state.range(1));
  const int pattern = static_cast<int>(state.range(2));
  const Machine m = machine(kind, cores);
  Exchange exchange(m, cores, pattern);
  long arrived = 0;
  for (int warm = 0; warm < 4 * cores;) warm += exchange.go_on();
  for (auto _ : state) arrived += exchange.go_on();
  state.SetItemsProcessed(arrived);
  state.counters["us/message"] = benchmark::Counter(static_cast<double>(arrived) * 1e-6,
                                                    benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  static constexpr const char* kMachines[] = {"flat", "ntw10e5"};
  static constexpr const char* kPatterns[] = {"one", "stream", "halo"};
  state.SetLabel(std::string(kMachines[kind]) + ", " + std::to_string(cores) + " cores, " + kPatterns[pattern]);
}
BENCHMARK(BM_Messages)
    ->ArgNames({"machine", "cores", "pattern"})
    ->ArgsProduct({{kFlat, kNtw10e5}, {256, 4096}, {kOne, kStream, kHalo}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
