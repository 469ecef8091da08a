// SPDX-License-Identifier: LGPL-2.1-only
// Cases per second of the property checker: each area's quick bounds with all properties on one core. Also the speed of
// enumerating small machines.
//   bazel run -c opt //tests/benchmarks:check_benchmark
//
// Times are processor times for all cases of an area except its random ones. Counters: cases; cases/s; alone, the
// factor by which a case takes longer if each property is checked separately, as in a replay: the key is then read and
// the code under check run once per property (measured on a sample of the cases, from the first to the last).
//
// Machines: all machines of a depth and an arity, enumerated as multisets of smaller ones
// (check/areas/small_machines.h), and in the simplest way: making all ordered trees and keeping those whose children
// never increase. Counters: machines; ordered, the number of ordered trees; and ordered/ours, the ratio of the two
// times.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "check/areas/areas.h"
#include "check/areas/small_machines.h"
#include "tests/check/areas/ordered_trees.h"

namespace strata::benchmarks {
namespace {

using check::Area;
using check::Effort;
using check::Shape;
using check::Share;
using check::Tally;

constexpr long kAlone = 50;  // cases that are checked one property at a time

template <class Work>
double processor_s(Work work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::vector<std::string> some_keys(const Area& area, const Share& share, long cases) {
  std::vector<std::string> keys;
  const long many = std::min(kAlone, cases);
  for (long i = 0; i < many; ++i) keys.push_back(area.key(share, cases * i / many));
  return keys;
}

void BM_Area(benchmark::State& state) {
  const std::vector<std::unique_ptr<Area>> areas = check::all_areas();
  const Area& area = *areas[state.range(0)];
  std::atomic<long> at = 0;
  Share share{.bounds = area.bounds(Effort::kQuick), .at = &at};
  share.only.resize(area.properties().size());
  std::iota(share.only.begin(), share.only.end(), size_t{0});
  double all_s = 0, alone_s = 0;
  long cases = 0, alone = 0;
  for (auto _ : state) {
    Tally tally;
    const double seconds = processor_s([&] { tally = area.explore(share); });
    state.SetIterationTime(seconds);
    all_s += seconds;
    cases += tally.cases;
    const std::vector<std::string> keys = some_keys(area, share, tally.cases);
    alone += static_cast<long>(keys.size());
    alone_s += processor_s([&] {
      for (const std::string& key : keys) {
        for (const size_t p : share.only) benchmark::DoNotOptimize(area.judge(key, p));
      }
    });
  }
  state.counters["cases"] = static_cast<double>(cases) / static_cast<double>(state.iterations());
  state.counters["cases/s"] = static_cast<double>(cases) / all_s;
  state.counters["alone"] = alone_s / static_cast<double>(alone) / (all_s / static_cast<double>(cases));
  state.SetLabel(area.name() + ", " + std::to_string(share.only.size()) + " properties");
}
void each_area(benchmark::internal::Benchmark* benchmark) {
  const long count = std::ssize(check::all_areas());
  for (long i = 0; i < count; ++i) benchmark->Arg(i);
}
BENCHMARK(BM_Area)->ArgName("area")->Apply(each_area)->Iterations(3)->UseManualTime()->Unit(benchmark::kMillisecond);

// Single nodes, because the network above them does not matter here.
void BM_Machines(benchmark::State& state) {
  const int depth = static_cast<int>(state.range(0)), arity = static_cast<int>(state.range(1));
  int vertices = 1;
  for (int level = 0; level < depth; ++level) vertices = 1 + arity * vertices;
  long machines = 0, ordered = 0, kept = 0;
  double ours_s = 0, ordered_s = 0;
  for (auto _ : state) {
    machines = ordered = kept = 0;
    const double seconds = processor_s([&] {
      check::SmallMachines all({.depth = depth, .arity = arity, .nodes = 1, .vertices = vertices, .network = 0});
      for (int size = 1; size <= vertices; ++size) machines += std::ssize(all.of(size));
    });
    state.SetIterationTime(seconds);
    ours_s += seconds;
    ordered_s += processor_s([&] {
      for (const Shape& shape : check::testing::ordered_trees(depth, arity)) {
        ++ordered;
        if (!check::testing::is_first_of_its_class(shape)) continue;
        ++kept;
        benchmark::DoNotOptimize(check::small_machine(shape, 0));
      }
    });
  }
  if (kept != machines) state.SkipWithError("the two do not find the same number of machines");
  state.counters["machines"] = static_cast<double>(machines);
  state.counters["ordered"] = static_cast<double>(ordered);
  state.counters["ordered/ours"] = ordered_s / ours_s;
}
BENCHMARK(BM_Machines)
    ->ArgNames({"depth", "arity"})
    ->Args({3, 2})
    ->Args({4, 2})
    ->Args({2, 6})
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
