// SPDX-License-Identifier: LGPL-2.1-only
// Parts of treematch's division: buckets of gains compared with sorted gains, and straight cuts of shuffled meshes.
#include "mpi_ext/reorder/bisection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "mpi_ext/reorder/gain_buckets.h"
#include "mpi_ext/reorder/straight_cut.h"
#include "tests/mpi_ext/reorder_parts.h"

namespace strata::mpix {
namespace {

using namespace testing;  // NOLINT: patterns

TEST(GainBuckets, AreInTheOrderOfTheGains) {
  std::vector<double> gains = {0};
  for (double gain = 1; gain > 1e-4; gain *= 0.93) gains.insert(gains.end(), {gain, -gain});
  std::sort(gains.begin(), gains.end());
  for (size_t i = 1; i < gains.size(); ++i) {
    EXPECT_LE(GainBuckets::bucket(gains[i - 1]), GainBuckets::bucket(gains[i])) << gains[i];
    // Values that differ by a factor of two are in different buckets.
    EXPECT_TRUE(gains[i] <= 0 || GainBuckets::bucket(gains[i] / 2) < GainBuckets::bucket(gains[i])) << gains[i];
  }
  EXPECT_EQ(GainBuckets::bucket(1e-9), GainBuckets::bucket(0));
  EXPECT_EQ(GainBuckets::bucket(1 + 1e-6), GainBuckets::bucket(1));  // a sum that was rounded up
}

// Compared with a list in the order of insertion.
TEST(GainBuckets, GiveTheLatestOfTheBest) {
  constexpr int kSeed = 5, kVertices = 40;
  std::printf("seed %d\n", kSeed);
  Engine engine(kSeed);
  GainBuckets buckets;
  buckets.clear(kVertices);
  std::vector<std::pair<int, int>> slow;  // bucket, vertex
  for (int step = 0; step < 5000; ++step) {
    const int v = below(engine, kVertices);
    const auto at = std::find_if(slow.begin(), slow.end(), [&](const auto& entry) { return entry.second == v; });
    if (at != slow.end()) {
      buckets.erase(v, at->first);
      slow.erase(at);
    } else {
      slow.emplace_back(GainBuckets::bucket((below(engine, 9) - 4) / 4.0), v);
      buckets.insert(v, slow.back().first);
    }
    int best = -1, most = -1;
    for (const auto& [bucket, vertex] : slow) {
      if (bucket >= most) {
        most = bucket;
        best = vertex;
      }
    }
    ASSERT_EQ(buckets.best(), best) << "step " << step;
  }
}

double cut_of(const AffinityGraph& graph, const std::vector<char>& side) {
  double bytes = 0;
  for (int v = 0; v < graph.size(); ++v) {
    for (size_t i = 0; i < graph.peers(v).size(); ++i) {
      if (side[v] < side[graph.peers(v)[i]]) bytes += graph.bytes_of(v)[i];
    }
  }
  return bytes;
}

TEST(StraightCut, GoesThroughAShuffledMesh) {
  struct Case {
    std::vector<int> dims;
    int size0, least;  // number of pairs across the best cut
  };
  for (const Case& c : {Case{{16, 8}, 64, 8}, Case{{12, 10}, 40, 10}, Case{{8, 4, 4}, 64, 16}, Case{{30}, 7, 1}}) {
    int size = 1;
    for (const int d : c.dims) size *= d;
    for (int seed = 1; seed <= 5; ++seed) {
      Engine engine(seed);
      const Pattern pattern = stencil(c.dims, shuffled(size, engine));
      const AffinityGraph graph = affinity_graph(pattern.symmetric(), 64);
      const double edge = graph.bytes_of(0)[0];
      Random random(seed);
      const std::vector<char> side = straight_cut(graph, c.size0, random);
      EXPECT_EQ(std::count(side.begin(), side.end(), 0), c.size0);
      EXPECT_EQ(cut_of(graph, side), c.least * edge) << size << " ranks, seed " << seed;
      // Both parts are meshes again, and the whole division finds a cut that is as good.
      Cut cut = Cut::kBoth;
      EXPECT_EQ(cut_of(graph, bisect(graph, c.size0, 1, random, cut)), c.least * edge);
      EXPECT_EQ(cut, Cut::kStraight);
    }
  }
}

TEST(StraightCut, IsNotTriedAgainWhereThereIsNoMesh) {
  Engine engine(1);
  const Pattern pattern = random_pattern(256, 8, 1, engine);
  const AffinityGraph graph = affinity_graph(pattern.symmetric(), 64);
  Random random(1);
  Cut cut = Cut::kBoth;
  bisect(graph, 128, 1, random, cut);
  EXPECT_EQ(cut, Cut::kMerged);
}

}  // namespace
}  // namespace strata::mpix
