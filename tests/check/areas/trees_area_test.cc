// SPDX-License-Identifier: LGPL-2.1-only
// The area trees: its counts, keys and drawings, and a violation of every property by wrong trees.
#include "check/areas/trees_area.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/check/areas/area_checks.h"

namespace strata::check {
namespace {

TEST(TreesArea, HoldsOnAllCasesOfTheQuickBounds) {
  const AreaResult r = testing::explore_quickly(*trees_area());
  EXPECT_EQ(r.bounds.text(), "ranks 24, fanout 5");
  EXPECT_EQ(r.cases, 2'424);
  EXPECT_EQ(r.distinct, 216);
  EXPECT_EQ(r.random_cases, 100);
  EXPECT_EQ(testing::asked_of_some(r), (std::map<std::string, long>{{"binomial-steps", 646},
                                                                    {"ending-ranges", 34},
                                                                    {"equal-chains", 1'516},
                                                                    {"fanout", 1'878},
                                                                    {"halves", 323},
                                                                    {"ranges", 319},
                                                                    {"rank-order", 353},
                                                                    {"some-odd", 166},
                                                                    {"some-short", 30},
                                                                    {"some-uneven", 830}}));
}

TEST(TreesArea, KeysAreReadBack) {
  const auto area = trees_area();
  testing::expect_keys_read_back(*area, testing::some_keys(*area, 2424, 100, 100), read_tree_key, tree_key);
  EXPECT_EQ(read_tree_key("chain,fanout=3,ranks=8,root=2"), (TreeCase{Shape::kChain, 8, 2, 3}));
}

TEST(TreesArea, RefusesKeysThatAreNone) {
  const auto refused = [](const std::string& key) { return testing::refusal(read_tree_key, key); };
  EXPECT_EQ(refused("binary,ranks=8,root=8"),
            "case 'binary,ranks=8,root=8', character 16: 'root=8' where root=NUMBER, from 0 to 7, must be; a case is "
            "SHAPE[,fanout=F],ranks=N[,root=R], such as 'chain,fanout=3,ranks=8,root=2' and 'in-order-binary,ranks=8'");
  for (const char* key : {"", "star,ranks=2", "chain,ranks=8,root=2", "binary,fanout=2,ranks=8,root=2",
                          "binary,ranks=8", "in-order-binary,ranks=8,root=0", "binary,ranks=8,root=2,"}) {
    EXPECT_TRUE(refused(key).starts_with("case '" + std::string(key) + "', character ")) << refused(key);
  }
}

TEST(TreesArea, DrawsTheTree) {
  EXPECT_EQ(trees_area()->draw("chain,fanout=2,ranks=6,root=2").text,
            "chain of 6 ranks, 2 chains, root 2\n2\n  3\n    4\n      5\n  0\n    1\n");
}

TEST(TreeProperties, EveryMistakeViolatesOneAndEachIsViolated) {
  const auto properties = tree_properties();
  std::set<std::string> violated;
  long mistakes = 0;
  for (const char* key : {"chain,fanout=3,ranks=9,root=2", "chain,fanout=1,ranks=4,root=0", "binary,ranks=8,root=1",
                          "binomial,ranks=9,root=0", "in-order-binomial,ranks=9,root=4", "in-order-binary,ranks=9"}) {
    const TreeCase c = read_tree_key(key);
    const TreeOutcome right = tree_outcome(c);
    EXPECT_EQ(testing::violated_by(properties, c, right), std::set<std::string>{}) << key;
    const auto change = [&](const std::function<void(TreeOutcome&)>& make) {
      TreeOutcome wrong = right;
      make(wrong);
      const auto names = testing::violated_by(properties, c, wrong);
      EXPECT_FALSE(names.empty()) << key << ", mistake " << mistakes;
      violated.insert(names.begin(), names.end());
      ++mistakes;
    };
    for (int rank = 0; rank < c.ranks; ++rank) {
      for (int parent = -1; parent < c.ranks; ++parent) {
        if (parent == right.views[rank].parent) continue;
        change([&](TreeOutcome& o) { o.views[rank].parent = parent; });
        // Moved to another parent, consistently in both views.
        change([&](TreeOutcome& o) {
          if (o.views[rank].parent >= 0) std::erase(o.views[o.views[rank].parent].children, rank);
          o.views[rank].parent = parent;
          if (parent >= 0) o.views[parent].children.push_back(rank);
        });
      }
      for (size_t child = 0; child < right.views[rank].children.size(); ++child) {
        change([&](TreeOutcome& o) {
          o.views[rank].children.erase(o.views[rank].children.begin() + static_cast<long>(child));
        });
        change([&](TreeOutcome& o) { o.views[rank].children[child] = c.ranks; });
        change([&](TreeOutcome& o) { o.views[rank].children.push_back(o.views[rank].children[child]); });
        if (child > 0)
          change([&](TreeOutcome& o) { std::swap(o.views[rank].children[child - 1], o.views[rank].children[child]); });
      }
      if (!right.spans.empty()) change([&](TreeOutcome& o) { ++o.spans[rank]; });
    }
  }
  EXPECT_EQ(violated, testing::names_of_always(properties));
  EXPECT_EQ(mistakes, 959);
}

}  // namespace
}  // namespace strata::check
