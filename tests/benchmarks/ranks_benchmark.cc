// What many ranks cost: a binomial broadcast on up to 16,384 cores, and the hierarchy of communicators (hsplit, with
// every rank printing what it sees) on up to 4,096.
//   bazel run -c opt //tests/benchmarks:ranks_benchmark
//
// The machine is nodes of 128 cores. Programs run through the launcher, as `strata run` and `strata hsplit` run them;
// the time is the wall time of the whole simulation, start-up included.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "tests/benchmarks/child.h"
#include "tests/benchmarks/simulated.h"

namespace strata::benchmarks {
namespace {

constexpr double kTimeLimit = 3600;  // s of wall time

void measure(benchmark::State& state, const std::string& program, const std::vector<std::string>& arguments) {
  const int ranks = static_cast<int>(state.range(0));
  const Machine machine = wide_nodes((ranks + 127) / 128);
  double peak = 0, cpu = 0;
  for (auto _ : state) {
    const Usage u = run_simulated(machine, ranks, program, arguments, kTimeLimit);
    state.SetIterationTime(u.wall_s);
    peak = u.peak_bytes;
    cpu = u.cpu_s;
  }
  state.counters["MB"] = peak / 1e6;
  state.counters["cpu s"] = cpu;
}

void BM_Broadcast(benchmark::State& state) {
  measure(state, "collective", {"--algorithm", "binomial", "--variant", "native", "--elements", "1000"});
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

void BM_Hsplit(benchmark::State& state) { measure(state, "hsplit", {}); }
BENCHMARK(BM_Hsplit)->ArgName("ranks")->Arg(256)->Arg(1024)->Arg(2048)->Arg(4096)->Iterations(1)->UseManualTime()->Unit(
    benchmark::kSecond);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
