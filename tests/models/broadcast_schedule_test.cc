// Who sends to whom: shapes written out by hand, and for all small cases and random trees what every broadcast has.
#include "models/broadcast_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata::models {
namespace {

constexpr auto kSend = Operation::Kind::kSend;
constexpr auto kReceive = Operation::Kind::kReceive;
using Operations = std::vector<Operation>;
constexpr std::array kAlgorithms = {BroadcastAlgorithm::kLinear, BroadcastAlgorithm::kBinomial};

std::vector<int> sends(const Operations& operations) {
  std::vector<int> peers;
  for (const Operation& o : operations) {
    if (o.kind == kSend) peers.push_back(o.peer);
  }
  return peers;
}

int num_receives(const Operations& operations) {
  return static_cast<int>(
      std::count_if(operations.begin(), operations.end(), [](const Operation& o) { return o.kind == kReceive; }));
}

// Lets ranks perform what they can, one operation at a time, until nothing moves. Every send must come from a rank that
// has the data; in the end everything is done and every rank has the data.
void expect_broadcasts(const Schedule& schedule, int root) {
  const int np = static_cast<int>(schedule.size());
  std::vector<size_t> next(np, 0);
  std::vector<bool> has(np, false);
  std::multiset<std::pair<int, int>> in_flight;
  has[root] = true;
  for (bool moved = true; moved;) {
    moved = false;
    for (int r = 0; r < np; ++r) {
      if (next[r] == schedule[r].size()) continue;
      const Operation& o = schedule[r][next[r]];
      ASSERT_GE(o.peer, 0);
      ASSERT_LT(o.peer, np);
      ASSERT_NE(o.peer, r);
      if (o.kind == kSend) {
        ASSERT_TRUE(has[r]) << "rank " << r << " sends what it does not have";
        in_flight.emplace(r, o.peer);
      } else {
        const auto message = in_flight.find({o.peer, r});
        if (message == in_flight.end()) continue;
        in_flight.erase(message);
        has[r] = true;
      }
      ++next[r];
      moved = true;
    }
  }
  EXPECT_TRUE(in_flight.empty()) << "a message nobody receives";
  for (int r = 0; r < np; ++r) {
    EXPECT_EQ(next[r], schedule[r].size()) << "rank " << r << " waits for ever";
    EXPECT_TRUE(has[r]) << "rank " << r << " never gets the data";
  }
}

TEST(BroadcastSchedule, LinearFromRank2Of5) {
  const Schedule s = native_broadcast(BroadcastAlgorithm::kLinear, 5, 2);
  EXPECT_EQ(s[2], (Operations{{kSend, 0}, {kSend, 1}, {kSend, 3}, {kSend, 4}}));
  for (int r : {0, 1, 3, 4}) EXPECT_EQ(s[r], (Operations{{kReceive, 2}}));
}

TEST(BroadcastSchedule, BinomialOf8AsOpenMpisBmtree) {
  const Schedule s = native_broadcast(BroadcastAlgorithm::kBinomial, 8, 0);
  EXPECT_EQ(s[0], (Operations{{kSend, 1}, {kSend, 2}, {kSend, 4}}));
  EXPECT_EQ(s[1], (Operations{{kReceive, 0}, {kSend, 3}, {kSend, 5}}));
  EXPECT_EQ(s[2], (Operations{{kReceive, 0}, {kSend, 6}}));
  EXPECT_EQ(s[3], (Operations{{kReceive, 1}, {kSend, 7}}));
  EXPECT_EQ(s[4], (Operations{{kReceive, 0}}));
  EXPECT_EQ(s[7], (Operations{{kReceive, 3}}));
}

TEST(BroadcastSchedule, BinomialTurnsWithTheRoot) {
  // p = 6, root 4: v = 0..5 are ranks 4 5 0 1 2 3.
  const Schedule s = native_broadcast(BroadcastAlgorithm::kBinomial, 6, 4);
  EXPECT_EQ(s[4], (Operations{{kSend, 5}, {kSend, 0}, {kSend, 2}}));
  EXPECT_EQ(s[5], (Operations{{kReceive, 4}, {kSend, 1}, {kSend, 3}}));
  EXPECT_EQ(s[0], (Operations{{kReceive, 4}}));
}

// The definition itself, rank by rank, against the construction.
TEST(BroadcastSchedule, BinomialParentsClearTheHighestBit) {
  for (int p = 1; p <= 130; ++p) {
    const Schedule s = native_broadcast(BroadcastAlgorithm::kBinomial, p, 0);
    for (int v = 1; v < p; ++v) {
      int high = 1;
      while (high * 2 <= v) high *= 2;
      ASSERT_FALSE(s[v].empty());
      EXPECT_EQ(s[v][0], (Operation{kReceive, v - high})) << "p " << p << ", v " << v;
      std::vector<int> expected;
      for (int step = high * 2; v + step < p; step *= 2) expected.push_back(v + step);
      EXPECT_EQ(sends(s[v]), expected) << "p " << p << ", v " << v;
    }
  }
}

TEST(BroadcastSchedule, NativeBroadcastsForAllSizesAndRoots) {
  for (const BroadcastAlgorithm algorithm : kAlgorithms) {
    for (int p = 1; p <= 64; ++p) {
      for (int root = 0; root < p; ++root) {
        SCOPED_TRACE("p " + std::to_string(p) + ", root " + std::to_string(root));
        const Schedule s = native_broadcast(algorithm, p, root);
        expect_broadcasts(s, root);
        for (int r = 0; r < p; ++r) ASSERT_EQ(num_receives(s[r]), r == root ? 0 : 1);
      }
    }
  }
}

TEST(BroadcastSchedule, HierarchicalOnTwoNodesOfTwoPackagesOfTwoCores) {
  const auto t = parse_tree("node:2 pack:2 core:2 pu:1");
  const Schedule s = hierarchical_broadcast(BroadcastAlgorithm::kLinear, *t, place(*t, 8), 0);
  EXPECT_EQ(s[0], (Operations{{kSend, 4}, {kSend, 2}, {kSend, 1}}));  // other node, other package, other core
  EXPECT_EQ(s[4], (Operations{{kReceive, 0}, {kSend, 6}, {kSend, 5}}));
  EXPECT_EQ(s[2], (Operations{{kReceive, 0}, {kSend, 3}}));
  EXPECT_EQ(s[6], (Operations{{kReceive, 4}, {kSend, 7}}));
  for (int r : {1, 3, 5, 7}) EXPECT_EQ(s[r], (Operations{{kReceive, r - 1}}));
}

TEST(BroadcastSchedule, HierarchicalFromAnotherRootGoesByRankZeroFirst) {
  const auto t = parse_tree("node:2 pack:2 core:2 pu:1");
  const Schedule s = hierarchical_broadcast(BroadcastAlgorithm::kLinear, *t, place(*t, 8), 6);
  EXPECT_EQ(s[6], (Operations{{kSend, 0}, {kReceive, 4}, {kSend, 7}}));
  EXPECT_EQ(s[0], (Operations{{kReceive, 6}, {kSend, 4}, {kSend, 2}, {kSend, 1}}));
}

// One node of two packages of four cores. Rank 2 is bound to both packages, rank 5 to two cores of the second: 2 fits
// in no child of the node, so it is among the roots with 0 and 1; 5 fits in no core, so it is a root in its package.
TEST(BroadcastSchedule, AMemberThatFitsInNoChildTakesPartAmongTheRoots) {
  const auto t = parse_tree("pack:2 core:4 pu:1");
  const auto bound = [&](const std::string& cpuset, int core) {
    return Binding{.node = 0, .cpuset = *Cpuset::parse(cpuset), .core = t->cores()[core]};
  };
  const std::vector<Binding> ranks = {bound("0", 0), bound("4", 4), bound("0-7", 0),
                                      bound("1", 1), bound("5", 5), bound("6-7", 6)};
  const Schedule s = hierarchical_broadcast(BroadcastAlgorithm::kLinear, *t, ranks, 0);
  EXPECT_EQ(s[0], (Operations{{kSend, 1}, {kSend, 2}, {kSend, 3}}));
  EXPECT_EQ(s[1], (Operations{{kReceive, 0}, {kSend, 4}, {kSend, 5}}));
  EXPECT_EQ(s[2], (Operations{{kReceive, 0}}));
  EXPECT_EQ(s[5], (Operations{{kReceive, 1}}));
}

TEST(BroadcastSchedule, UnboundRanksOfOneNodeHaveNoHierarchy) {
  const auto t = parse_tree("pack:2 core:4 pu:1");
  const std::vector<Binding> ranks = place(*t, 8, {.map_by = "core", .bind_to = "none", .oversubscribe = false});
  for (const BroadcastAlgorithm algorithm : kAlgorithms) {
    EXPECT_EQ(hierarchical_broadcast(algorithm, *t, ranks, 0), native_broadcast(algorithm, 8, 0));
  }
}

TEST(BroadcastSchedule, RanksOfOneCoreEndThere) {
  const auto t = parse_tree("pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*t, 3, {.map_by = "core", .bind_to = "core", .oversubscribe = true});
  const Schedule s = hierarchical_broadcast(BroadcastAlgorithm::kBinomial, *t, ranks, 0);
  EXPECT_EQ(s, native_broadcast(BroadcastAlgorithm::kBinomial, 3, 0));
}

// Random trees, random bindings (whole objects of any level, or odd sets of PUs), every root.
TEST(BroadcastSchedule, HierarchicalBroadcastsOnRandomTrees) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int trial = 0; trial < 150; ++trial) {
    std::string line = pick(0, 1) ? "switch:" + std::to_string(pick(1, 3)) + " " : "";
    line += "node:" + std::to_string(pick(1, 3)) + " pack:" + std::to_string(pick(1, 3));
    if (pick(0, 1)) line += " l3:" + std::to_string(pick(1, 2));
    line += " core:" + std::to_string(pick(1, 4)) + " pu:" + std::to_string(pick(1, 2));
    SCOPED_TRACE(line);
    const auto t = parse_tree(line);
    const int np = pick(1, 64);
    std::vector<Binding> ranks;
    for (int r = 0; r < np; ++r) {
      const int core = t->cores()[pick(0, static_cast<int>(t->cores().size()) - 1)];
      Cpuset set;
      if (pick(0, 3) == 0) {
        const Cpuset& all = t->object(t->node_vertex(t->node(core)))->cpuset;
        for (int i = 0; i < 3; ++i) set.add(pick(0, all.count() - 1));  // synthetic PUs are 0 to n-1
      } else {
        int v = core;
        for (int up = pick(0, 4); up > 0 && t->node(t->parent(v)) >= 0; --up) v = t->parent(v);
        set = t->object(v)->cpuset;
      }
      ranks.push_back({.node = t->node(core), .cpuset = set, .core = core});
    }
    for (const BroadcastAlgorithm algorithm : kAlgorithms) {
      for (int root = 0; root < np; ++root) {
        const Schedule s = hierarchical_broadcast(algorithm, *t, ranks, root);
        expect_broadcasts(s, root);
        for (int r = 0; r < np; ++r) {
          // A root other than 0 gives the data away first and receives it as everyone else.
          const int expected = r == 0 && root == 0 ? 0 : 1;
          ASSERT_EQ(num_receives(s[r]), expected) << "rank " << r << ", root " << root;
        }
        if (HasFailure()) return;
      }
    }
  }
}

TEST(BroadcastSchedule, RefusesWhatIsNoBroadcast) {
  EXPECT_THROW(native_broadcast(BroadcastAlgorithm::kLinear, 0, 0), std::invalid_argument);
  EXPECT_THROW(native_broadcast(BroadcastAlgorithm::kLinear, 4, 4), std::invalid_argument);
  EXPECT_THROW(native_broadcast(BroadcastAlgorithm::kLinear, 4, -1), std::invalid_argument);
  EXPECT_EQ(find_broadcast_algorithm("chain"), std::nullopt);
}

}  // namespace
}  // namespace strata::models
