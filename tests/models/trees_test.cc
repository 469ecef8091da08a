// SPDX-License-Identifier: LGPL-2.1-only
// Shapes of trees: as Open MPI's comments draw them, and each compared with its definition, vertex by vertex.
#include "models/trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace strata::models {
namespace {

using Lists = std::vector<std::vector<int>>;
constexpr int kMost = 130;  // vertices

// Every vertex except the root is once a child of its parent, and can be reached from the root.
void expect_tree(const Tree& t) {
  const int p = static_cast<int>(t.parent.size());
  std::vector<int> seen(p, 0);
  for (int v = 0; v < p; ++v) {
    for (const int c : t.children[v]) {
      ++seen[c];
      EXPECT_EQ(t.parent[c], v);
    }
  }
  for (int v = 0; v < p; ++v) EXPECT_EQ(seen[v], v == t.root ? 0 : 1);
  EXPECT_EQ(t.parent[t.root], -1);
  const std::vector<int> order = preorder(t);
  EXPECT_EQ(order.size(), static_cast<size_t>(p));
  EXPECT_EQ(order.front(), t.root);
}

TEST(Trees, AreTrees) {
  for (int p = 1; p <= kMost; ++p) {
    SCOPED_TRACE("p " + std::to_string(p));
    for (const Tree& t : {chain_tree(p, 1), chain_tree(p, 4), binary_tree(p), binomial_tree(p),
                          in_order_binomial_tree(p), in_order_binary_tree(p)}) {
      expect_tree(t);
    }
  }
  EXPECT_THROW(binary_tree(0), std::invalid_argument);
}

TEST(Trees, FourChainsOfEleven) {
  // Ten vertices below the root form chains of 3, 3, 2 and 2.
  EXPECT_EQ(chain_tree(11, 4).children, (Lists{{1, 4, 7, 9}, {2}, {3}, {}, {5}, {6}, {}, {8}, {}, {10}, {}}));
  EXPECT_EQ(chain_tree(3, 4).children, (Lists{{1, 2}, {}, {}}));
}

TEST(Trees, ChainsAreNearlyEqualRunsOfVertices) {
  for (int p = 2; p <= kMost; ++p) {
    for (int chains = 1; chains <= 5; ++chains) {
      const Tree t = chain_tree(p, chains);
      std::vector<int> lengths;
      int next = 1;
      for (int v : t.children[0]) {
        EXPECT_EQ(v, next);
        int length = 1;
        for (; !t.children[v].empty(); ++length) {
          ASSERT_EQ(t.children[v], (std::vector<int>{v + 1}));
          ++v;
        }
        lengths.push_back(length);
        next = v + 1;
      }
      EXPECT_EQ(next, p);
      EXPECT_EQ(lengths.size(), static_cast<size_t>(std::min(chains, p - 1)));
      EXPECT_TRUE(std::is_sorted(lengths.rbegin(), lengths.rend()));
      EXPECT_LE(lengths.front() - lengths.back(), 1);
    }
  }
}

TEST(Trees, BinaryOfSeven) { EXPECT_EQ(binary_tree(7).children, (Lists{{1, 2}, {3, 5}, {4, 6}, {}, {}, {}, {}})); }

TEST(Trees, BinarySidesAreOddAndEven) {
  const Tree t = binary_tree(kMost);
  for (int v = 1; v < kMost; ++v) {
    int top = v;
    while (t.parent[top] != 0) top = t.parent[top];
    EXPECT_EQ(top, v % 2 == 1 ? 1 : 2);
  }
}

TEST(Trees, BinomialOfEight) {
  EXPECT_EQ(binomial_tree(8).children, (Lists{{1, 2, 4}, {3, 5}, {6}, {7}, {}, {}, {}, {}}));
  EXPECT_EQ(in_order_binomial_tree(8).children, (Lists{{1, 2, 4}, {}, {3}, {}, {5, 6}, {}, {7}, {}}));
}

TEST(Trees, BinomialParentsClearABit) {
  for (int p = 1; p <= kMost; ++p) {
    const Tree highest = binomial_tree(p), lowest = in_order_binomial_tree(p);
    for (int v = 1; v < p; ++v) {
      int high = 1, low = 1;
      while (high * 2 <= v) high *= 2;
      while (v % (low * 2) == 0) low *= 2;
      EXPECT_EQ(highest.parent[v], v - high);
      EXPECT_EQ(lowest.parent[v], v - low);
      for (const Tree& t : {highest, lowest}) EXPECT_TRUE(std::is_sorted(t.children[v].begin(), t.children[v].end()));
    }
  }
}

TEST(Trees, InOrderBinaryOfFourAndNine) {
  EXPECT_EQ(in_order_binary_tree(2).children, (Lists{{}, {0}}));
  EXPECT_EQ(in_order_binary_tree(4).children, (Lists{{}, {0}, {}, {2, 1}}));
  EXPECT_EQ(in_order_binary_tree(9).children, (Lists{{}, {0}, {}, {2, 1}, {}, {4}, {}, {6, 5}, {7, 3}}));
}

// In-order trees: each subtree is a range of ranks. Combining the contributions of the children in their order (each
// before the result in the binary tree, after it in the binomial tree) gives the order of the ranks.
TEST(Trees, SubtreesOfTheTreesOfOrderAreRanges) {
  for (int p = 1; p <= kMost; ++p) {
    for (const bool binary : {true, false}) {
      const Tree t = binary ? in_order_binary_tree(p) : in_order_binomial_tree(p);
      std::vector<std::vector<int>> below(p);
      const std::vector<int> order = preorder(t);
      for (auto v = order.rbegin(); v != order.rend(); ++v) {
        below[*v] = {*v};
        for (const int c : t.children[*v]) {
          below[*v].insert(binary ? below[*v].begin() : below[*v].end(), below[c].begin(), below[c].end());
        }
        for (size_t i = 1; i < below[*v].size(); ++i) ASSERT_EQ(below[*v][i], below[*v][i - 1] + 1);
      }
    }
  }
}

}  // namespace
}  // namespace strata::models
