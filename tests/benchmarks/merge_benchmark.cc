// SPDX-License-Identifier: LGPL-2.1-only
// Speed of `strata submit merge`: a sweep of 10^6 points with one record each, as `engine: replay` writes it, in 8 and
// in 1,000 shards; and one of 20,000 simulations, whose output is two files per point.
//   bazel run -c opt //tests/benchmarks:merge_benchmark
//
// Time is wall time for reading the manifests and merging. Counters: records; records/s; memory, peak resident memory
// in B.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "platforms/ideal_machine.h"
#include "platforms/machine.h"
#include "records/folder.h"
#include "records/merge.h"
#include "tests/process/process.h"

namespace strata::benchmarks {
namespace {

namespace fs = std::filesystem;

// Points are dealt to the shards round-robin.
std::vector<fs::path> make_shards(const fs::path& folder, int points, int of, Engine engine) {
  const Machine machine = ideal_machine(4, Bytes(1));
  Manifest manifest;
  manifest.study.scenario = "study";
  manifest.study.program = "app";
  manifest.study.metric = "time";
  manifest.study.unit = "s";
  manifest.study.ranks = 4;
  manifest.study.engine = engine;
  manifest.study.sweep = {{"latency", {}}, {"bandwidth", {}}};
  constexpr int kLatencies = 100;
  for (int i = 0; i < kLatencies; ++i) manifest.study.sweep[0].values.push_back(i);
  for (int i = 0; i < points / kLatencies; ++i) manifest.study.sweep[1].values.push_back(i);
  manifest.machine = machine.name;
  manifest.machine_hash = machine_hash(machine);
  manifest.versions = {{"strata", "1"}};
  manifest.start = manifest.end = "2017-07-14T02:40:00Z";
  std::vector<fs::path> folders;
  for (int number = 1; number <= of; ++number) {
    const fs::path shard = folder / std::to_string(number);
    fs::create_directories(shard / kOutputFolder);
    manifest.shard = ShardContent{{number, of}, {}, "scenario", "program"};
    std::ofstream records(shard / kRecordsFile, std::ios::binary);
    for (int p = number - 1; p < points; p += of) {
      manifest.shard->points.push_back(p);
      records << format_record({.scenario = "study",
                                .point = p,
                                .parameters = {{"latency", p % kLatencies}, {"bandwidth", p / kLatencies}},
                                .metric = "time",
                                .value = 1.0 / (p + 3),
                                .unit = "s",
                                .seed = 1})
              << "\n";
      if (engine == Engine::kReplay) continue;
      for (const char* end : {".out", ".err"}) std::ofstream(shard / (output_path(p) + end)) << "time 1 s\n";
    }
    std::ofstream(shard / "bindings.txt") << "0 0 0\n";
    save_machine(machine, shard);
    write_manifest(shard, manifest);
    folders.push_back(shard);
  }
  return folders;
}

void merge(benchmark::State& state) {
  const int points = static_cast<int>(state.range(0)), shards = static_cast<int>(state.range(1));
  const Engine engine = state.range(2) != 0 ? Engine::kReplay : Engine::kSimulation;
  const TemporaryFolder folder;
  const std::vector<fs::path> folders = make_shards(folder.path(), points, shards, engine);
  size_t records = 0;
  for (auto _ : state) {
    records = merge_shards(load_shards(folders), folder.path() / "whole");
    state.PauseTiming();
    fs::remove_all(folder.path() / "whole");
    state.ResumeTiming();
  }
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  state.counters["records"] = static_cast<double>(records);
  state.counters["records/s"] =
      benchmark::Counter(static_cast<double>(records), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["memory"] = static_cast<double>(usage.ru_maxrss) * 1024;
}

BENCHMARK(merge)
    ->ArgNames({"points", "shards", "replay"})
    ->Args({1'000'000, 8, 1})
    ->Args({1'000'000, 1000, 1})
    ->Args({20'000, 8, 0})
    ->Unit(benchmark::kSecond)
    ->UseRealTime()
    ->Iterations(1)
    ->Repetitions(3);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
