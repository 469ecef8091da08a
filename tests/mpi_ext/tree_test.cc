// The trees of the collectives against slow definitions, for all sizes to 40, all roots and ranks, and against shapes
// written down by hand from the pictures in Open MPI 2.0.1's coll_base_topo.c.
#include "mpi_ext/coll/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <vector>

namespace strata::mpix {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int kSizes = 40;

using Build = std::function<Tree(int rank, int size, int root)>;

// All ranks' views of one tree.
std::vector<Tree> whole(const Build& build, int size, int root) {
  std::vector<Tree> all;
  for (int rank = 0; rank < size; ++rank) all.push_back(build(rank, size, root));
  return all;
}

int depth_of(const std::vector<Tree>& all, int rank) {
  int depth = 0;
  for (; all[rank].parent >= 0 && depth <= static_cast<int>(all.size()); rank = all[rank].parent) ++depth;
  return depth;
}

int height_of(const std::vector<Tree>& all) {
  int height = 0;
  for (int rank = 0; rank < static_cast<int>(all.size()); ++rank) height = std::max(height, depth_of(all, rank));
  return height;
}

std::vector<int> subtree_of(const std::vector<Tree>& all, int rank) {
  std::vector<int> ranks = {rank};
  for (size_t i = 0; i < ranks.size(); ++i) {
    ranks.insert(ranks.end(), all[ranks[i]].children.begin(), all[ranks[i]].children.end());
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

// Parents and children agree, and from the root every rank is reached once.
void expect_spanning(const std::vector<Tree>& all, int root) {
  std::vector<int> everybody(all.size());
  std::iota(everybody.begin(), everybody.end(), 0);
  EXPECT_EQ(subtree_of(all, root), everybody);
  EXPECT_EQ(all[root].parent, -1);
  for (int rank = 0; rank < static_cast<int>(all.size()); ++rank) {
    for (const int child : all[rank].children) EXPECT_EQ(all[child].parent, rank);
  }
}

// With ranks counted from the root the tree is the one rooted at 0.
void expect_rotated(const Build& build, int size, int root) {
  const std::vector<Tree> all = whole(build, size, root), from_0 = whole(build, size, 0);
  const auto rotated = [&](int v) { return (v + root) % size; };
  for (int v = 0; v < size; ++v) {
    const Tree& got = all[rotated(v)];
    EXPECT_EQ(got.parent, from_0[v].parent < 0 ? -1 : rotated(from_0[v].parent));
    std::vector<int> children;
    for (const int child : from_0[v].children) children.push_back(rotated(child));
    EXPECT_EQ(got.children, children);
  }
}

void for_all(const Build& build, const std::function<void(const std::vector<Tree>&, int size)>& check_at_root_0) {
  for (int size = 1; size <= kSizes; ++size) {
    for (int root = 0; root < size; ++root) {
      SCOPED_TRACE(::testing::Message() << size << " ranks, root " << root);
      expect_spanning(whole(build, size, root), root);
      expect_rotated(build, size, root);
      if (root == 0) check_at_root_0(whole(build, size, 0), size);
    }
  }
}

class Chains : public ::testing::TestWithParam<int> {};

TEST_P(Chains, AreRangesThatDifferInLengthByOneTheLongerFirst) {
  const int fanout = GetParam();
  for_all([&](int rank, int size, int root) { return chain_tree(rank, size, root, fanout); },
          [&](const std::vector<Tree>& all, int size) {
            // Deal the ranks to the chains one by one: how long each gets.
            const int chains = std::min(fanout, size - 1);
            std::vector<int> length(std::max(chains, 0), 0);
            for (int i = 0; i < size - 1; ++i) ++length[i % chains];
            ASSERT_EQ(all[0].children.size(), length.size());
            int next = 1;
            for (int c = 0; c < chains; ++c) {
              EXPECT_EQ(all[0].children[c], next);
              for (int i = 0; i < length[c]; ++i, ++next) {
                EXPECT_EQ(all[next].parent, i == 0 ? 0 : next - 1);
                EXPECT_EQ(all[next].children, i + 1 < length[c] ? std::vector{next + 1} : std::vector<int>{});
              }
            }
            EXPECT_EQ(next, size);
          });
}

INSTANTIATE_TEST_SUITE_P(Tree, Chains, ::testing::Values(1, 2, 3, 4, 7));

TEST(Binary, FillsLevelAfterLevelOddRanksOnTheLeft) {
  for_all(binary_tree, [](const std::vector<Tree>& all, int size) {
    for (int v = 0; v < size; ++v) {
      // The definition of coll_base_topo.c: v on level l has the children v + 2^l and v + 2 2^l.
      int level = 0, begin = 0;
      while (v >= begin + (1 << level)) begin += 1 << level++;
      std::vector<int> children;
      for (const int child : {v + (1 << level), v + (2 << level)}) {
        if (child < size) children.push_back(child);
      }
      EXPECT_EQ(all[v].children, children) << v;
      EXPECT_EQ(depth_of(all, v), level);
    }
    for (size_t side = 0; side < all[0].children.size(); ++side) {
      for (const int v : subtree_of(all, all[0].children[side])) EXPECT_EQ(v % 2, side == 0 ? 1 : 0);
    }
  });
}

TEST(Binomial, ClearsTheHighestBit) {
  for_all(binomial_tree, [](const std::vector<Tree>& all, int size) {
    for (int v = 0; v < size; ++v) {
      std::vector<int> children;
      for (int child = v + 1; child < size; ++child) {
        if (child - static_cast<int>(std::bit_floor(static_cast<unsigned>(child))) == v) children.push_back(child);
      }
      EXPECT_EQ(all[v].children, children) << v;
      EXPECT_EQ(depth_of(all, v), std::popcount(static_cast<unsigned>(v)));
    }
  });
}

TEST(InOrderBinomial, ClearsTheLowestBitAndItsSubtreesAreRanges) {
  for_all(in_order_binomial_tree, [](const std::vector<Tree>& all, int size) {
    for (int v = 0; v < size; ++v) {
      std::vector<int> children;
      for (int child = v + 1; child < size; ++child) {
        if ((child & (child - 1)) == v) children.push_back(child);
      }
      EXPECT_EQ(all[v].children, children) << v;
      EXPECT_EQ(depth_of(all, v), std::popcount(static_cast<unsigned>(v)));
      std::vector<int> range(in_order_span(v, size));
      std::iota(range.begin(), range.end(), v);
      EXPECT_EQ(subtree_of(all, v), range) << v;
    }
  });
}

TEST(InOrderBinary, SubtreesAreRangesThatEndWithTheirRoot) {
  for (int size = 1; size <= kSizes; ++size) {
    SCOPED_TRACE(size);
    const std::vector<Tree> all = whole([](int rank, int n, int) { return in_order_binary_tree(rank, n); }, size, 0);
    expect_spanning(all, size - 1);
    for (int rank = 0; rank < size; ++rank) {
      const std::vector<int> subtree = subtree_of(all, rank);
      const int n = static_cast<int>(subtree.size());
      EXPECT_EQ(subtree.back(), rank);
      EXPECT_EQ(subtree.front(), rank - n + 1);
      // The first child holds the higher ranks, the second n / 2 lower ones.
      ASSERT_EQ(all[rank].children.size(), static_cast<size_t>(std::min(n - 1, 2)));
      if (n > 1) {
        EXPECT_EQ(all[rank].children[0], rank - 1);
      }
      if (n > 2) {
        EXPECT_EQ(static_cast<int>(subtree_of(all, all[rank].children[1]).size()), n / 2);
      }
    }
    // As deep as a balanced one: n - 1 ranks in halves.
    int height = 0;
    for (int n = size; n > 1; n /= 2) ++height;
    EXPECT_EQ(height_of(all), height);
  }
}

TEST(ByHand, Chain) {
  EXPECT_THAT(chain_tree(2, 12, 2, 4).children, ElementsAre(3, 6, 9, 0));  // v: 1-3, 4-6, 7-9, 10-11
  EXPECT_THAT(chain_tree(5, 12, 2, 4).children, IsEmpty());
  EXPECT_THAT(chain_tree(0, 12, 2, 4).children, ElementsAre(1));
  EXPECT_EQ(chain_tree(0, 12, 2, 4).parent, 2);
}

TEST(ByHand, BinaryOfSeven) {
  EXPECT_THAT(binary_tree(0, 7, 0).children, ElementsAre(1, 2));
  EXPECT_THAT(binary_tree(1, 7, 0).children, ElementsAre(3, 5));
  EXPECT_THAT(binary_tree(2, 7, 0).children, ElementsAre(4, 6));
  EXPECT_EQ(binary_tree(6, 7, 0).parent, 2);
}

TEST(ByHand, BinomialOfEight) {
  EXPECT_THAT(binomial_tree(0, 8, 0).children, ElementsAre(1, 2, 4));
  EXPECT_THAT(binomial_tree(1, 8, 0).children, ElementsAre(3, 5));
  EXPECT_THAT(binomial_tree(3, 8, 0).children, ElementsAre(7));
  EXPECT_THAT(binomial_tree(2, 8, 0).children, ElementsAre(6));
}

TEST(ByHand, InOrderBinomialOfEight) {
  EXPECT_THAT(in_order_binomial_tree(0, 8, 0).children, ElementsAre(1, 2, 4));
  EXPECT_THAT(in_order_binomial_tree(4, 8, 0).children, ElementsAre(5, 6));
  EXPECT_THAT(in_order_binomial_tree(6, 8, 0).children, ElementsAre(7));
  EXPECT_THAT(in_order_binomial_tree(2, 8, 0).children, ElementsAre(3));
}

TEST(ByHand, InOrderBinary) {
  EXPECT_THAT(in_order_binary_tree(1, 2).children, ElementsAre(0));
  EXPECT_THAT(in_order_binary_tree(2, 3).children, ElementsAre(1, 0));
  EXPECT_THAT(in_order_binary_tree(3, 4).children, ElementsAre(2, 1));
  EXPECT_THAT(in_order_binary_tree(1, 4).children, ElementsAre(0));
  EXPECT_THAT(in_order_binary_tree(8, 9).children, ElementsAre(7, 3));
  EXPECT_THAT(in_order_binary_tree(7, 9).children, ElementsAre(6, 5));
  EXPECT_THAT(in_order_binary_tree(5, 9).children, ElementsAre(4));
  EXPECT_THAT(in_order_binary_tree(3, 9).children, ElementsAre(2, 1));
  EXPECT_THAT(in_order_binary_tree(1, 9).children, ElementsAre(0));
}

}  // namespace
}  // namespace strata::mpix
