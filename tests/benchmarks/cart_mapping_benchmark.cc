// SPDX-License-Identifier: LGPL-2.1-only
// The time to map a Cartesian mesh: 128x128x64 = 1,048,576 processes, 64 per node, with all methods and, in the same
// run, with nodecart for comparison. Nodes are filled in order, or ranks are dealt to the nodes round-robin.
//   bazel run -c opt //tests/benchmarks:cart_mapping_benchmark
//
// Counters: off_node, the mean number of partners on other nodes; /nodecart, the time as a multiple of nodecart's;
// peak_MB, the process's peak memory so far. Unequal nodes have 32 to 96 processes.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>
#include <string>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/partners.h"

namespace strata::benchmarks {
namespace {

using mpix::CartMethod;

enum Nodes { kPacked, kRoundRobin, kUnequal };
constexpr const char* kNodesNames[] = {"packed", "round-robin", "unequal"};

const mpix::Mesh kMesh{{128, 128, 64}, {false, false, false}};
constexpr int kPerNode = 64;

mpix::Places places_of(Nodes nodes) {
  const int size = kMesh.size(), count = size / kPerNode;
  if (nodes == kUnequal) {
    std::vector<int> sizes;
    for (int n = 0; n < count; ++n)
      sizes.push_back(n % 2 == 0 ? kPerNode / 2 + n % 61 : 3 * kPerNode / 2 - (n - 1) % 61);
    return mpix::packed_places(sizes);
  }
  std::vector<int> group(size);
  for (int r = 0; r < size; ++r) group[r] = nodes == kPacked ? r / kPerNode : r % count;
  return {{{"Machine", std::move(group)}}, 0};
}

template <class Work>
double seconds_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1000;  // from KiB, approximately
}

void BM_MapProcesses(benchmark::State& state) {
  const CartMethod method = mpix::cart_methods()[state.range(0)];
  const auto nodes = static_cast<Nodes>(state.range(1));
  const mpix::Places places = places_of(nodes), equal = places_of(nodes == kUnequal ? kPacked : nodes);
  mpix::Mapping mapping;
  double ours_s = 0, nodecart_s = 0;
  for (auto _ : state) {
    const double s = seconds_of([&] { mapping = map_processes(kMesh, places, method); });
    state.SetIterationTime(s);
    ours_s += s;
    nodecart_s += seconds_of([&] { map_processes(kMesh, equal, CartMethod::kNodecart); });
  }
  const auto off = count_partners(kMesh, mpix::groups_by_position(mapping.new_rank, places.nodes())).off;
  state.counters["off_node"] = static_cast<double>(off.total) / kMesh.size();
  state.counters["/nodecart"] = ours_s / nodecart_s;
  state.counters["peak_MB"] = peak_megabytes();
  state.SetLabel(std::string(name_of(method)) + ", " + kNodesNames[nodes]);
}

void all_methods(benchmark::internal::Benchmark* benchmark) {
  for (const Nodes nodes : {kPacked, kRoundRobin, kUnequal}) {
    for (size_t m = 0; m < mpix::cart_methods().size(); ++m) {
      if (nodes == kUnequal && cuts_blocks(mpix::cart_methods()[m])) continue;
      benchmark->Args({static_cast<long>(m), nodes});
    }
  }
}
BENCHMARK(BM_MapProcesses)
    ->ArgNames({"method", "nodes"})
    ->Apply(all_methods)
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
