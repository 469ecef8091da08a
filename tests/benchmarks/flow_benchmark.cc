// SPDX-License-Identifier: LGPL-2.1-only
// Messages per second of the flow model alone (flow/), without ranks and without SimGrid: routes, latencies, bandwidth
// shares, arrivals.
//   bazel run -c opt //tests/benchmarks:flow_benchmark
//
// Machines: `flat`, nodes of one core under one switch, where no link is shared; `ntw10e5`, nodes of 24 cores with that
// machine's costs. Patterns:
//   one      one message at a time
//   stream   each core always sends one message, of any size up to 16 KiB, to a random other core
//   halo     rounds of 8 KiB messages between the neighbours of a grid: a core begins its four messages, each after the
//            overhead of a send, when it has received all messages of the previous round
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "flow/calendar.h"
#include "flow/machine_flows.h"
#include "flow/precision.h"
#include "platforms/machine.h"
#include "tests/benchmarks/simulated.h"

namespace strata::benchmarks {
namespace {

enum MachineKind { kFlat, kNtw10e5 };
enum Pattern { kOne, kStream, kHalo };

Machine machine(int kind, int cores) {
  if (kind == kFlat) return flat_nodes(cores);
  Machine m = ntw10e5_of((cores + 23) / 24);
  m.memory.reset();
  return m;
}

class Exchange {
 public:
  Exchange(const Machine& machine, int cores, int pattern)
      : flows_(machine, flow::kTimePrecision),
        cores_(cores),
        side_(static_cast<int>(std::lround(std::sqrt(cores)))),
        pattern_(pattern),
        expected_(static_cast<size_t>(cores)) {
    for (int c = 0; c < (pattern == kOne ? 1 : cores); ++c) {
      if (pattern == kHalo) {
        begin_round(c);
      } else {
        start(c, any_other(c), any_size());
      }
    }
  }

  // Advances to the next event at which messages arrive; returns their number.
  int go_on() {
    int arrived = 0;
    while (arrived == 0) {
      const double s = flows_.flows().until_next(now_);
      const double start_s = starts_.empty() ? std::numeric_limits<double>::infinity() : starts_.first_date();
      now_ = s >= 0 && now_ + s < start_s ? now_ + s : start_s;
      flows_.advance(now_, [&](int id) {
        ++arrived;
        const auto [from, to] = ends_[id];
        if (pattern_ == kHalo) {
          receive(from);
          receive(to);
        } else {
          start(from, any_other(from), any_size());
        }
      });
      while (!starts_.empty() && starts_.first_date() <= now_) {
        const int send = starts_.pop();
        start(send / kNeighbours, neighbour(send / kNeighbours, send % kNeighbours), kBytes);
      }
    }
    return arrived;
  }

 private:
  static constexpr int kNeighbours = 4;
  static constexpr double kBytes = 8192;

  int any_other(int core) {
    const int to = static_cast<int>(random_() % static_cast<unsigned>(cores_ - 1));
    return to < core ? to : to + 1;
  }
  double any_size() { return static_cast<double>(random_() % 16384); }
  int neighbour(int core, int i) const {
    static constexpr std::array<std::array<int, 2>, kNeighbours> kSteps = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
    const int x = core % side_ + kSteps[i][0] + side_, y = core / side_ + kSteps[i][1] + side_;
    return y % side_ * side_ + x % side_;
  }

  void start(int from, int to, double bytes) {
    const int id = flows_.start_message(from, to, bytes, now_);
    if (ends_.size() <= static_cast<size_t>(id)) ends_.resize(static_cast<size_t>(id) + 1);
    ends_[id] = {from, to};
  }

  void begin_round(int core) {
    expected_[core] = 2 * kNeighbours;  // including the four it sends
    double start_s = now_;
    for (int i = 0; i < kNeighbours; ++i) {
      start_s += flows_.paths().send_overhead(core, neighbour(core, i), kBytes);
      starts_.schedule(core * kNeighbours + i, start_s);
    }
  }
  // A neighbour's message may already belong to the next round; it is then counted in this one.
  void receive(int core) {
    if (--expected_[core] == 0) begin_round(core);
  }

  flow::MachineFlows flows_;
  const int cores_, side_, pattern_;
  flow::Calendar starts_;                  // index: core, then neighbour
  std::vector<int> expected_;              // by core
  std::vector<std::pair<int, int>> ends_;  // by message number: from, to
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
