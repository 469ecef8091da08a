// SPDX-License-Identifier: LGPL-2.1-only
// Time and memory to compute the critical path, late ranks and phases of a large run: a ring of 4,096 ranks in which
// every receive waits. The argument is the number of messages.
//   bazel run -c opt //tests/benchmarks:critical_path_benchmark
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <vector>

#include "analysis/time_report.h"
#include "platforms/machine.h"
#include "records/events.h"
#include "tests/process/process.h"

namespace strata::benchmarks {
namespace {

using Kind = Event::Kind;

constexpr int kRanks = 4'096;
constexpr double kRound = 20e-6, kFlow = 2e-6;  // s

// In each round a rank computes for up to 10 us, sends to the next rank, and receives from the previous one.
void write_ring(const std::filesystem::path& file, std::int64_t messages) {
  EventsHeader header{.program = "ring", .machine = "tree", .functions = {"MPI_Isend", "MPI_Recv"}, .cores = {}};
  for (int r = 0; r < kRanks; ++r) header.cores.push_back(r);
  EventWriter writer(file, header);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> computing(0, 10e-6);
  std::vector<double> sent(kRanks);
  std::vector<Event> events;
  std::int64_t first = 1;
  double end = 0;
  for (double start = 0; first <= messages; start += kRound, first += kRanks) {
    events.clear();
    for (double& s : sent) s = start + computing(random);
    for (int r = 0; r < kRanks; ++r) {
      const int before = (r + kRanks - 1) % kRanks;
      const double flows = sent[before], arrives = flows + kFlow;
      events.push_back({.kind = Kind::kEnter, .time = sent[r], .rank = r, .function = 0});
      events.push_back({.kind = Kind::kSend, .time = sent[r], .rank = r, .other = (r + 1) % kRanks, .bytes = 984});
      events.push_back({.kind = Kind::kLeave, .time = sent[r], .rank = r});
      events.push_back({.kind = Kind::kEnter, .time = sent[r], .rank = r, .function = 1});
      const bool waits = arrives > sent[r];
      if (waits) events.push_back({.kind = Kind::kBlock, .time = sent[r], .rank = r});
      const double done = std::max(arrives, sent[r]);
      events.push_back({.kind = Kind::kArrive, .time = done, .message = before, .posted = sent[r], .began = flows});
      if (waits) events.push_back({.kind = Kind::kUnblock, .time = done, .rank = r, .message = before, .began = flows});
      events.push_back({.kind = Kind::kLeave, .time = done, .rank = r});
      end = std::max(end, done);
    }
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
    std::vector<std::int64_t> number(kRanks);
    std::int64_t next = first;
    for (const Event& e : events) {
      if (e.kind == Kind::kSend) number[e.rank] = next++;
    }
    for (Event& e : events) {
      if (e.kind == Kind::kSend) e.message = number[e.rank];
      if (e.kind == Kind::kArrive || e.kind == Kind::kUnblock) e.message = number[e.message];
      writer.write(e);
    }
  }
  writer.finish(end);
}

double resident_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void ring(benchmark::State& state) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "ring.events";
  write_ring(file, state.range(0));
  const Machine machine = machine_from_tree("node:64 core:64");
  const double before = resident_mb();
  size_t pieces = 0;
  for (auto _ : state) pieces = analysis::time_report(file, &machine).path.pieces.size();
  state.counters["file MB"] = static_cast<double>(std::filesystem::file_size(file)) / 1e6;
  state.counters["MB more"] = resident_mb() - before;
  state.counters["pieces"] = static_cast<double>(pieces);
}
BENCHMARK(ring)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
