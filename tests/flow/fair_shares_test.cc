// SPDX-License-Identifier: LGPL-2.1-only
// Compares the incremental shares with progressive filling from scratch, a few lines of code, after every change.
#include "flow/fair_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "tests/flow/slow_shares.h"

namespace strata::flow {
namespace {

using Use = FairShares::Use;

// The flow uses each link with its whole rate.
std::vector<Use> whole(const std::vector<int>& links) {
  std::vector<Use> uses;
  for (const int l : links) uses.push_back({l, 1});
  return uses;
}

TEST(FairShares, BoundsAndOneLink) {
  FairShares shares;
  const int link = shares.add_link(12);
  const int a = shares.add_flow(whole({link}), 100);
  EXPECT_EQ(shares.solve(), std::vector{a});
  EXPECT_DOUBLE_EQ(shares.rate(a), 12);
  const int b = shares.add_flow(whole({link}), 2);
  shares.solve();
  EXPECT_DOUBLE_EQ(shares.rate(a), 10);
  EXPECT_DOUBLE_EQ(shares.rate(b), 2);
  const int c = shares.add_flow(whole({link}), 100);
  EXPECT_EQ(shares.solve().size(), 2u);  // b keeps its bound
  EXPECT_DOUBLE_EQ(shares.rate(a), 5);
  EXPECT_DOUBLE_EQ(shares.rate(c), 5);
  shares.remove_flow(a);
  shares.solve();
  EXPECT_DOUBLE_EQ(shares.rate(b), 2);
  EXPECT_DOUBLE_EQ(shares.rate(c), 10);
}

// Three links in a row with capacities 10, 4 and 8: flow x uses all three, and each link has one other flow. x and y
// share the 4; the other two get what x leaves, 8 and 6. When y ends, x gets all of the 4 and the others get less: the
// change reaches links that y never used.
TEST(FairShares, AChangeReachesOtherLinks) {
  FairShares shares;
  for (double capacity : {10.0, 4.0, 8.0}) shares.add_link(capacity);
  const int x = shares.add_flow(whole({0, 1, 2}), 1e9), first = shares.add_flow(whole({0}), 1e9);
  const int y = shares.add_flow(whole({1}), 1e9), last = shares.add_flow(whole({2}), 1e9);
  shares.solve();
  EXPECT_DOUBLE_EQ(shares.rate(x), 2);
  EXPECT_DOUBLE_EQ(shares.rate(y), 2);
  EXPECT_DOUBLE_EQ(shares.rate(first), 8);
  EXPECT_DOUBLE_EQ(shares.rate(last), 6);
  shares.remove_flow(y);
  EXPECT_EQ(shares.solve().size(), 3u);
  EXPECT_DOUBLE_EQ(shares.rate(x), 4);
  EXPECT_DOUBLE_EQ(shares.rate(first), 6);
  EXPECT_DOUBLE_EQ(shares.rate(last), 4);
}

TEST(FairShares, AFlowThatComesAndGoesUnseenLeavesNoTrace) {
  FairShares shares;
  shares.add_link(6);
  const int a = shares.add_flow(whole({0}), 10);
  shares.solve();
  shares.remove_flow(shares.add_flow(whole({0}), 10));
  EXPECT_TRUE(shares.solve().empty());
  EXPECT_DOUBLE_EQ(shares.rate(a), 6);
}

// The second flow gets the first flow's number, and solve() reports it once.
TEST(FairShares, AFlowMayTakeTheNumberOfOneThatWentUnseen) {
  FairShares shares;
  shares.add_link(6);
  const int a = shares.add_flow(whole({0}), 10);
  shares.remove_flow(a);
  const int b = shares.add_flow(whole({0}), 2);
  EXPECT_EQ(a, b);
  EXPECT_EQ(shares.solve(), std::vector{b});
  EXPECT_DOUBLE_EQ(shares.rate(b), 2);
  shares.remove_flow(b);
  EXPECT_TRUE(shares.solve().empty());
}

// Two copies within a memory of 12: each reads and writes, and the core limits the second: 12 = 2 x + 2 y with y = 2.
// Then a message starts, which only reads: 12 = 2 x + 2 y + z. All three rates grow together until y reaches its bound.
TEST(FairShares, WeightsSayHowMuchOfALinkAFlowTakes) {
  FairShares shares;
  const int memory = shares.add_link(12), core = shares.add_link(1);
  const int x = shares.add_flow(std::vector<Use>{{memory, 2}}, 1e9);
  const int y = shares.add_flow(std::vector<Use>{{memory, 2}, {core, 0.5}}, 1e9);
  shares.solve();
  EXPECT_DOUBLE_EQ(shares.rate(x), 4);
  EXPECT_DOUBLE_EQ(shares.rate(y), 2);
  const int z = shares.add_flow(std::vector<Use>{{memory, 1}}, 1e9);
  shares.solve();
  EXPECT_DOUBLE_EQ(shares.rate(x), 8.0 / 3);
  EXPECT_DOUBLE_EQ(shares.rate(y), 2);
  EXPECT_DOUBLE_EQ(shares.rate(z), 8.0 / 3);
}

// Every second round uses the links of a tree (each flow goes up some levels of a binary tree and down again), the
// others random links. There are only a few different capacities and bounds, so that ties are frequent, and several
// changes between solutions.
TEST(FairShares, LikeFillingFromScratchAtRandom) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 120; ++round) {
    const bool tree = round % 2 == 0;
    const bool weighted = round % 4 > 1;
    // Parts of messages, memories that are both read and written, and on every third link the time of a core (s/B).
    const auto weight = [&](int link) {
      return weighted ? std::vector{1.0, 2.0, 0.25}[random() % 3] * (link % 3 == 0 ? 2e-10 : 1) : 1.0;
    };
    FairShares shares;
    std::vector<double> capacities;
    for (int l = 0; l < 60; ++l) {
      capacities.push_back(1 + static_cast<double>(random() % 7));
      ASSERT_EQ(shares.add_link(capacities.back()), l);
    }
    std::map<int, SlowFlow> flows;
    for (int step = 0; step < 60; ++step) {
      for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
        if (!flows.empty() && random() % 5 < 2) {
          const auto at = std::next(flows.begin(), static_cast<long>(random() % flows.size()));
          shares.remove_flow(at->first);
          flows.erase(at);
          continue;
        }
        std::set<int> links;
        if (tree) {  // leaves 15..29 of a heap; link v goes up from v, link 30 + v down to v
          unsigned a = 15 + random() % 15, b = 15 + random() % 15;
          while (a == b) b = 15 + random() % 15;
          while (a != b) {
            if (a > b) {
              links.insert(static_cast<int>(a));
              a = (a - 1) / 2;
            } else {
              links.insert(static_cast<int>(30 + b));
              b = (b - 1) / 2;
            }
          }
        } else {
          for (unsigned n = 1 + random() % 5; n > 0; --n) links.insert(static_cast<int>(random() % 60));
        }
        SlowFlow flow{{}, random() % 2 == 0 ? 1e9 : 1 + static_cast<double>(random() % 3)};
        for (const int l : links) flow.weights[l] = weight(l);
        const int id = shares.add_flow(flow.uses(), flow.bound);
        ASSERT_TRUE(flows.emplace(id, flow).second);
      }
      std::map<int, double> before;
      for (const auto& [id, f] : flows) before[id] = shares.rate(id);
      const std::vector<int> changed = shares.solve();
      const std::map<int, double> expected = slow_shares(capacities, flows);
      for (const auto& [id, rate] : expected) {
        ASSERT_NEAR(shares.rate(id), rate, 1e-9 * rate) << "round " << round << " step " << step << " flow " << id;
        const bool told = std::find(changed.begin(), changed.end(), id) != changed.end();
        ASSERT_EQ(told, shares.rate(id) != before[id]) << "round " << round << " step " << step << " flow " << id;
      }
    }
  }
}

}  // namespace
}  // namespace strata::flow
