// SPDX-License-Identifier: LGPL-2.1-only
// Times to create and traverse machines of 16,384 cores: 128 nodes of 128 cores, and one node of 16,384.
//   bazel run -c opt //tests/platforms:topology_benchmark
#include <benchmark/benchmark.h>

#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata {
namespace {

constexpr int kCores = 16'384;

struct Shape {
  const char* node;
  int nodes;
};

// Two-socket nodes with 64 cores per socket in eight L3s of eight cores; and a large shared-memory machine with 256
// such sockets.
constexpr Shape kShapes[] = {{"pack:2 [numa] l3:8 l2:8 l1d:1 core:1 pu:1", 128},
                             {"group:16 pack:16 [numa] l3:8 l2:8 l1d:1 core:1 pu:1", 1}};

std::string xml_of(const Shape& shape) {
  const std::string path = std::filesystem::temp_directory_path() / ("strata-" + std::to_string(shape.nodes) + ".xml");
  export_synthetic_as_xml(shape.node, path);
  return path;
}

std::shared_ptr<const Topology> machine(const Shape& shape) {
  return flat_cluster(import_node_synthetic(shape.node), shape.nodes);
}

void set_label(benchmark::State& state, const Topology& t) {
  if (t.cores().size() != kCores) state.SkipWithError("not 16,384 cores");
  state.SetLabel(std::to_string(t.num_nodes()) + " nodes, " + std::to_string(t.num_vertices()) + " vertices");
}

// From an XML file to the topology, including libhwloc's load and our checks.
void BM_ImportXml(benchmark::State& state) {
  const Shape& shape = kShapes[state.range(0)];
  const std::string xml = xml_of(shape);
  for (auto _ : state) benchmark::DoNotOptimize(flat_cluster(import_node_xml(xml), shape.nodes));
  std::remove(xml.c_str());
  set_label(state, *machine(shape));
}
BENCHMARK(BM_ImportXml)->DenseRange(0, 1)->Unit(benchmark::kMillisecond);

void BM_Covering(benchmark::State& state) {
  const auto t = machine(kShapes[state.range(0)]);
  std::mt19937 random(1);
  struct Query {
    int node;
    Cpuset set;
  };
  std::vector<Query> queries;
  for (int i = 0; i < 4096; ++i) {
    Query q{static_cast<int>(random() % t->num_nodes()), {}};
    const int pus = kCores / t->num_nodes();
    for (int k = i % 2; k >= 0; --k)
      q.set.add(static_cast<int>(random() % pus));  // one PU, or two anywhere on the node
    queries.push_back(std::move(q));
  }
  size_t i = 0;
  for (auto _ : state) {
    const Query& q = queries[i++ % queries.size()];
    benchmark::DoNotOptimize(t->covering(q.node, q.set));
  }
  state.SetItemsProcessed(state.iterations());
  set_label(state, *t);
}
BENCHMARK(BM_Covering)->DenseRange(0, 1);

void BM_LowestCommonAncestor(benchmark::State& state) {
  const auto t = machine(kShapes[state.range(0)]);
  std::mt19937 random(2);
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < 4096; ++i) pairs.emplace_back(t->cores()[random() % kCores], t->cores()[random() % kCores]);
  size_t i = 0;
  for (auto _ : state) {
    const auto& [a, b] = pairs[i++ % pairs.size()];
    benchmark::DoNotOptimize(t->lowest_common_ancestor(a, b));
  }
  state.SetItemsProcessed(state.iterations());
  set_label(state, *t);
}
BENCHMARK(BM_LowestCommonAncestor)->DenseRange(0, 1);

void BM_PlaceAllCores(benchmark::State& state) {
  const auto t = machine(kShapes[state.range(0)]);
  for (auto _ : state) benchmark::DoNotOptimize(place(*t, kCores, {.map_by = "l3"}));
  state.SetItemsProcessed(state.iterations() * kCores);
  set_label(state, *t);
}
BENCHMARK(BM_PlaceAllCores)->DenseRange(0, 1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strata

BENCHMARK_MAIN();
