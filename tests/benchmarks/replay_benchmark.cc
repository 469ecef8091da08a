// SPDX-License-Identifier: LGPL-2.1-only
// Replays of recorded programs (replay/) compared with simulations of the programs.
//   bazel run -c opt //tests/benchmarks:replay_benchmark
//
// BM_Halo: the halo exchange of messages_benchmark, 102,400 messages of 8 KiB, recorded and replayed. Each repetition
// simulates the program as `strata run` does, then reads and replays its trace, which was recorded once. Reported are
// the processor times of both and their ratio. Machines: `flat`, nodes of one core under one switch; `ntw10e5`, nodes
// of 24 cores with that machine's costs.
//
// BM_Large: traces made here, because recording such programs would need too much memory: a binomial broadcast of 8 B,
// and one exchange of 8 KiB with each of the four neighbours on a periodic grid. Reported are wall time and memory,
// including those for making the trace and the machine: flat or, for a million ranks, with nodes of 128 cores.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "platforms/topology.h"
#include "records/trace/trace_file.h"
#include "replay/engine.h"
#include "sim/launcher/scratch.h"
#include "tests/benchmarks/simulated.h"

namespace strata::benchmarks {
namespace {

using Kind = TraceStep::Kind;

enum MachineKind { kFlat, kNtw10e5 };
constexpr int kMessages = 102'400;
constexpr double kTimeLimit = 1800;  // s of wall time, for a run
constexpr double kBytes = 8192;

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Machine machine(int kind, int ranks) {
  if (kind == kFlat) return flat_nodes(ranks);
  Machine m = ntw10e5_of((ranks + 23) / 24);
  m.memory.reset();
  return m;
}

void BM_Halo(benchmark::State& state) {
  const int kind = static_cast<int>(state.range(0)), ranks = static_cast<int>(state.range(1));
  const Machine m = machine(kind, ranks);
  const int exchanges = std::max(kMessages / 4 / ranks, 2);
  const double messages = 4.0 * ranks * exchanges;
  const std::string halo = benchmark_program("halo.so");
  const std::vector<std::string> arguments = {"--iterations", std::to_string(exchanges), "--bytes", "8192"};
  const sim::ScratchFolder scratch;
  const std::string file = scratch.path() / "halo.mpitrace";
  run_simulated(m, ranks, halo, arguments, kTimeLimit, file);
  std::vector<double> simulated, replayed;
  double ended = 0;
  for (auto _ : state) {
    simulated.push_back(run_simulated(m, ranks, halo, arguments, kTimeLimit).cpu_s);
    const double start = processor_time();
    const Trace trace = read_trace(file);
    ended = replay::replay(trace, m, trace.cores).simulated_time;
    replayed.push_back(processor_time() - start);
    state.SetIterationTime(replayed.back());
    if (ended != *std::max_element(trace.ended.begin(), trace.ended.end())) state.SkipWithError("another time");
  }
  const double s = *std::min_element(simulated.begin(), simulated.end());
  const double r = *std::min_element(replayed.begin(), replayed.end());
  state.counters["simulated cpu s"] = s;
  state.counters["replayed cpu s"] = r;
  state.counters["simulated/replayed"] = s / r;
  state.counters["messages/s"] = messages / r;
  state.SetLabel(std::string(kind == kFlat ? "flat" : "ntw10e5") + ", " + std::to_string(ranks) + " ranks");
}
BENCHMARK(BM_Halo)
    ->ArgNames({"machine", "ranks"})
    ->ArgsProduct({{kFlat, kNtw10e5}, {256, 4096}})
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

enum Pattern { kBroadcast, kExchange };

// Each rank receives from the rank given by its number without the highest bit, then sends to the ranks above.
Trace broadcast(int ranks) {
  Trace t;
  for (int r = 0; r < ranks; ++r) {
    std::vector<TraceStep> steps;
    int bit = 1;
    for (; bit <= r; bit *= 2) {
    }
    if (r > 0) {
      steps.push_back({.kind = Kind::kReceive, .peer = ranks - bit / 2, .amount = 8});
      steps.push_back({.kind = Kind::kWait, .number = 1});
    }
    for (; r + bit < ranks; bit *= 2) {
      steps.push_back({.kind = Kind::kSend, .peer = bit, .amount = 8});
      steps.push_back({.kind = Kind::kWait, .number = 1});
    }
    t.ranks.push_back(std::make_shared<const std::vector<TraceStep>>(std::move(steps)));
  }
  return t;
}

Trace exchange(int ranks) {
  const int side = static_cast<int>(std::lround(std::sqrt(ranks)));
  std::vector<std::shared_ptr<const std::vector<TraceStep>>> programs;
  // At the left and right edges the neighbour is at the other end of the row.
  for (const int column : {0, 1, side - 1}) {
    std::vector<TraceStep> steps;
    for (const int peer :
         {column == 0 ? side - 1 : ranks - 1, column == side - 1 ? ranks - side + 1 : 1, ranks - side, side}) {
      steps.push_back({.kind = Kind::kReceive, .peer = peer, .amount = kBytes});
      steps.push_back({.kind = Kind::kSend, .modes = TraceStep::kImmediate, .peer = peer, .amount = kBytes});
    }
    for (int request = 8; request > 0; --request) steps.push_back({.kind = Kind::kWait, .number = request});
    programs.push_back(std::make_shared<const std::vector<TraceStep>>(std::move(steps)));
  }
  Trace t;
  for (int r = 0; r < ranks; ++r) t.ranks.push_back(programs[r % side == 0 ? 0 : r % side == side - 1 ? 2 : 1]);
  return t;
}

void BM_Large(benchmark::State& state) {
  const int pattern = static_cast<int>(state.range(0)), ranks = static_cast<int>(state.range(1));
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    const Machine m = ranks <= kMaxNodes ? flat_nodes(ranks) : wide_nodes(ranks / 128);
    Trace t = pattern == kBroadcast ? broadcast(ranks) : exchange(ranks);
    t.cores.resize(t.ranks.size());
    std::iota(t.cores.begin(), t.cores.end(), 0);
    const replay::Replayed r = replay::replay(t, m, t.cores);
    state.counters["simulated s"] = r.simulated_time;
    state.counters["messages"] = static_cast<double>(r.messages);
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  state.counters["peak MB"] = static_cast<double>(usage.ru_maxrss) / 1000;
  state.SetLabel(pattern == kBroadcast ? "broadcast" : "halo");
}
BENCHMARK(BM_Large)
    ->ArgNames({"pattern", "ranks"})
    ->Args({kBroadcast, 65'536})
    ->Args({kExchange, 65'536})
    ->Args({kBroadcast, 1'048'576})
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
