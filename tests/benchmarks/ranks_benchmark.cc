// SPDX-License-Identifier: LGPL-2.1-only
// The cost of many ranks, on up to 16,384 cores: a binomial broadcast, and the hierarchy of communicators (hsplit, in
// which every rank prints its levels; hierarchy, which only creates them, with its three methods). The programs' own
// results are printed too: simulated seconds, communicators, messages.
//   bazel run -c opt //tests/benchmarks:ranks_benchmark
//
// The machine has nodes of 128 cores. Programs run through the launcher, as in `strata run` and `strata hsplit`. The
// time is the wall time of the whole simulation, including its start.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "records/study.h"
#include "tests/benchmarks/measured_child.h"
#include "tests/benchmarks/simulated.h"

namespace strata::benchmarks {
namespace {

constexpr double kTimeLimit = 3600;  // s of wall time

void measure(benchmark::State& state, const std::string& program, const std::vector<std::string>& arguments,
             Machine (*machine_of)(int nodes)) {
  const int ranks = static_cast<int>(state.range(0));
  const Machine machine = machine_of((ranks + 127) / 128);
  double peak = 0, cpu = 0;
  for (auto _ : state) {
    const Usage u = run_simulated(machine, ranks, program, arguments, kTimeLimit);
    state.SetIterationTime(u.wall_s);
    peak = u.peak_bytes;
    cpu = u.cpu_s;
    for (const Json& line : Json::parse(u.said)) {
      if (line.contains("metric")) state.counters[line["metric"].get<std::string>()] = line["value"].get<double>();
    }
  }
  state.counters["MB"] = peak / 1e6;
  state.counters["cpu s"] = cpu;
}

void BM_Broadcast(benchmark::State& state) {
  measure(state, "collective", {"--algorithm", "binomial", "--variant", "native", "--elements", "1000"}, wide_nodes);
}
BENCHMARK(BM_Broadcast)
    ->ArgName("ranks")
    ->Arg(256)
    ->Arg(1024)
    ->Arg(4096)
    ->Arg(16384)
    ->Iterations(1)
    ->Repetitions(3)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

void BM_Hsplit(benchmark::State& state) { measure(state, "hsplit", {}, wide_nodes); }
BENCHMARK(BM_Hsplit)
    ->ArgName("ranks")
    ->Arg(256)
    ->Arg(1024)
    ->Arg(4096)
    ->Arg(16384)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

// Creates five levels with their roots, as in the scenario hierarchy-creation.
void BM_Hierarchy(benchmark::State& state, const char* method) {
  measure(state, "hierarchy", {"--method", method, "--depth", "5"}, wide_nodes_with_l2);
}
#define STRATA_BENCHMARK_METHOD(method)            \
  BENCHMARK_CAPTURE(BM_Hierarchy, method, #method) \
      ->ArgName("ranks")                           \
      ->Arg(256)                                   \
      ->Arg(1024)                                  \
      ->Arg(4096)                                  \
      ->Arg(16384)                                 \
      ->Iterations(1)                              \
      ->Repetitions(3)                             \
      ->UseManualTime()                            \
      ->Unit(benchmark::kSecond)
STRATA_BENCHMARK_METHOD(levels);
STRATA_BENCHMARK_METHOD(all);
STRATA_BENCHMARK_METHOD(kept);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
