// SPDX-License-Identifier: LGPL-2.1-only
// The time in which the tuner of the split tree finds the best number of ranks and steps (IJHPCA'19, Section 6.2, and
// the cases it leaves open), compared in the same run with enumerating the tree for every number of ranks and steps.
//   bazel run -c opt //tests/benchmarks:split_tree_benchmark
//
// The computation is as long as the blocking collective on all cores, and scales linearly. The time is that of the
// tuner for all numbers of ranks. Counter enumerated/ours: the ratio of both times for the 64 largest numbers of ranks,
// because enumerating all numbers up to 4,096 would take too long.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "models/split_tree.h"
#include "tests/models/enumerated_tree.h"

namespace strata::benchmarks {
namespace {

constexpr int kEnumerated = 64;  // numbers of ranks

template <class Work>
double seconds_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void BM_BestChoice(benchmark::State& state) {
  const int cores = static_cast<int>(state.range(0));
  const models::SplitTree t{.cores = cores, .ranks = cores, .arity = static_cast<int>(state.range(1))};
  const double all = blocking_time(t);
  const models::Computation computation = [&](int n) { return all * cores / n; };
  const models::Computation no_rest = [](int) { return 0; };
  const int from = std::max(1, cores - kEnumerated + 1);
  double ours_s = 0, enumerated_s = 0;
  models::Choice best;
  for (auto _ : state) {
    state.SetIterationTime(seconds_of([&] { best = best_choice(t, computation, no_rest); }));
    ours_s += seconds_of([&] { best_choice(t, computation, no_rest, from); });
    enumerated_s += seconds_of([&] { slow_choice(t, computation, no_rest, from); });
  }
  state.counters["enumerated/ours"] = enumerated_s / ours_s;
  state.counters["N"] = best.ranks;
  state.counters["S"] = best.steps;
  state.SetLabel(std::to_string(cores) + " cores");
}
BENCHMARK(BM_BestChoice)
    ->ArgNames({"cores", "arity"})
    ->ArgsProduct({{64, 4096}, {2, 4}})
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
