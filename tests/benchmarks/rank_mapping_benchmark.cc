// SPDX-License-Identifier: LGPL-2.1-only
// Time and gain of mapping by communication matrix: treematch and, in the same run, Scotch, on nodes with two packages
// of eight cores. Patterns: stencils with shuffled ranks and random graphs of 1,024 to 65,536 processes, and dense
// matrices of up to 8,192.
//   bazel run -c opt //tests/benchmarks:rank_mapping_benchmark
//
// The time is treematch's processor time in map_ranks, including the comparison with the identity. Counters:
//   share         treematch's hop-bytes divided by the identity's; scotch_share: Scotch's
//   scotch_s      Scotch's processor time; s/scotch_s: treematch's divided by it
//   /scotch       treematch's hop-bytes divided by Scotch's
//   MB            the process's peak memory when treematch ended; pattern_MB: with the matrix alone
// Rows are in the order of size, so that a peak belongs to its row.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/reorder/mapping.h"

namespace strata::benchmarks {
namespace {

using mpix::MapMethod;
using mpix::PlaceTree;

enum Kind { kStencil2d, kStencil3d, kRandom8, kDense, kDenseStencil };
constexpr const char* kNames[] = {"2D stencil", "3D stencil", "random, 8 neighbours", "dense, random bytes",
                                  "dense, falling with distance in 2D"};

constexpr int kPackages = 2, kCores = 8;

// A root, nodes, packages and cores.
PlaceTree machine(int processes) {
  PlaceTree tree;
  const auto add = [&](int parent, int depth) {
    tree.parent.push_back(parent);
    tree.depth.push_back(depth);
    return static_cast<int>(tree.parent.size()) - 1;
  };
  add(-1, 0);
  for (int n = 0; n < processes / (kPackages * kCores); ++n) {
    const int node = add(0, 1);
    for (int p = 0; p < kPackages; ++p) {
      const int package = add(node, 2);
      for (int c = 0; c < kCores; ++c) {
        tree.place.push_back(add(package, 3));
        tree.node.push_back(n);
      }
    }
  }
  return tree;
}

// A grid as square as powers of two allow.
std::array<int, 3> dims_of(int size, int num_dims) {
  std::array<int, 3> dims = {1, 1, 1};
  for (int dim = 0; size > 1; dim = (dim + 1) % num_dims, size /= 2) dims[dim] *= 2;
  return dims;
}

Pattern pattern_of(Kind kind, int size) {
  std::mt19937_64 engine(7);
  const auto below = [&](int bound) { return static_cast<int>(engine() % bound); };
  std::vector<int> shuffled(size);
  for (int i = 0; i < size; ++i) shuffled[i] = i;
  for (int i = size - 1; i > 0; --i) std::swap(shuffled[i], shuffled[below(i + 1)]);
  std::vector<Flow> flows;
  const auto add = [&](int a, int b, double bytes) {
    flows.push_back({shuffled[a], shuffled[b], bytes});
    flows.push_back({shuffled[b], shuffled[a], bytes});
  };
  const std::array<int, 3> dims = dims_of(size, kind == kStencil3d ? 3 : 2);
  for (int a = 0; a < size; ++a) {
    const std::array<int, 3> at = {a / dims[2] / dims[1], a / dims[2] % dims[1], a % dims[2]};
    if (kind == kStencil2d || kind == kStencil3d) {
      const int step[3] = {dims[1] * dims[2], dims[2], 1};
      for (int dim = 0; dim < 3; ++dim) {
        if (at[dim] + 1 < dims[dim]) add(a, a + step[dim], 1000);
      }
    } else if (kind == kRandom8) {
      for (int i = 0; i < 4; ++i) {
        if (const int b = below(size); b != a) add(a, b, 1000);
      }
    } else {
      for (int b = 0; b < a; ++b) {
        const int distance = std::abs(at[0] - b / dims[1]) + std::abs(at[1] - b % dims[1]);
        add(a, b, kind == kDense ? 1 + below(1000) : std::floor(1e6 / (distance * distance)));
      }
    }
  }
  return {size, std::move(flows)};
}

double processor_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1000;  // from KiB, approximately
}

void BM_MapRanks(benchmark::State& state) {
  const auto kind = static_cast<Kind>(state.range(0));
  const int size = static_cast<int>(state.range(1));
  const Pattern pattern = pattern_of(kind, size);
  const PlaceTree tree = machine(size);
  const double pattern_mb = peak_megabytes();
  for (auto _ : state) {
    const double start = processor_s();
    const std::vector<int> ours = map_ranks(pattern, tree, MapMethod::kTreeMatch);
    const double middle = processor_s();
    state.counters["MB"] = peak_megabytes();
    const std::vector<int> scotch = map_ranks(pattern, tree, MapMethod::kScotch);
    state.counters["scotch_s"] = processor_s() - middle;
    state.counters["s/scotch_s"] = (middle - start) / state.counters["scotch_s"];
    state.SetIterationTime(middle - start);
    const double identity = hop_bytes(pattern, tree, map_ranks(pattern, tree, MapMethod::kIdentity));
    state.counters["share"] = hop_bytes(pattern, tree, ours) / identity;
    state.counters["scotch_share"] = hop_bytes(pattern, tree, scotch) / identity;
    state.counters["/scotch"] = hop_bytes(pattern, tree, ours) / hop_bytes(pattern, tree, scotch);
  }
  state.counters["pattern_MB"] = pattern_mb;
  state.SetLabel(kNames[kind]);
}

void all_patterns(benchmark::internal::Benchmark* benchmark) {
  for (const long size : {1024, 2048, 4096, 8192, 16384, 32768, 65536}) {
    for (const Kind kind : {kStencil2d, kStencil3d, kRandom8}) benchmark->Args({kind, size});
  }
  for (const long size : {1024, 4096, 8192}) {
    for (const Kind kind : {kDense, kDenseStencil}) benchmark->Args({kind, size});
  }
}
BENCHMARK(BM_MapRanks)
    ->ArgNames({"pattern", "processes"})
    ->Apply(all_patterns)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
