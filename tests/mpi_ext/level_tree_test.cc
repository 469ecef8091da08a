// SPDX-License-Identifier: LGPL-2.1-only
// The tree of the nonblocking collectives compared with the slow definition of the property checker (area schedule):
// all sizes up to 40, all roots, arities 2 to 6, and trees over nodes with several mappings of ranks. Also worked
// examples, and a very large size.
#include "mpi_ext/nbc/level_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "check/areas/level_reading.h"

namespace strata::mpix {
namespace {

constexpr int kSizes = 40;

std::string where(int rank, int size, int root, int arity) {
  return "rank " + std::to_string(rank) + " of " + std::to_string(size) + ", root " + std::to_string(root) +
         ", arity " + std::to_string(arity);
}

// Calls f(size, root, arity).
template <typename F>
void for_all_trees(int sizes, F f) {
  for (int size = 1; size <= sizes; ++size) {
    for (int root = 0; root < size; ++root) {
      for (int arity = 2; arity <= 6; ++arity) f(size, root, arity);
    }
  }
}

TEST(LevelTree, IsTheSlowDefinition) {
  for_all_trees(kSizes, [](int size, int root, int arity) {
    const auto expected = check::play_levels(size, root, arity);
    for (int rank = 0; rank < size; ++rank) {
      EXPECT_TRUE(check::same_tree(level_tree(rank, size, root, arity), expected[rank]))
          << where(rank, size, root, arity);
    }
  });
}

// Blocks of one size, round-robin, uneven blocks, scattered ranks, all on one node, and each on its own node.
std::vector<std::vector<int>> mappings(int size) {
  std::vector<std::vector<int>> all(6, std::vector<int>(size));
  for (int rank = 0; rank < size; ++rank) {
    all[0][rank] = rank / 4;
    all[1][rank] = 10 - rank % 3;
    all[2][rank] = rank * rank % 7;
    all[3][rank] = static_cast<int>(std::sqrt(rank));
    all[4][rank] = 5;
    all[5][rank] = size - rank;
  }
  return all;
}

TEST(LevelTreeOverNodes, IsTheSlowDefinition) {
  for_all_trees(25, [](int size, int root, int arity) {
    for (const auto& node_of_rank : mappings(size)) {
      const auto expected = check::play_levels_over_nodes(node_of_rank, root, arity);
      for (int rank = 0; rank < size; ++rank) {
        EXPECT_TRUE(check::same_tree(level_tree_over_nodes(rank, node_of_rank, root, arity), expected[rank]))
            << where(rank, size, root, arity) << " over nodes " << ::testing::PrintToString(node_of_rank);
      }
    }
  });
}

// IJHPCA'19, Figure 8: the binomial tree of eight.
TEST(LevelTree, BinomialOfEight) {
  const LevelTree root = level_tree(0, 8, 0, 2);
  EXPECT_EQ(root.height, 3);
  EXPECT_EQ(root.parent, -1);
  EXPECT_EQ(root.parent_level, 0);
  ASSERT_EQ(root.children.size(), 3u);
  EXPECT_EQ(root.children[0].rank, 1);
  EXPECT_EQ(root.children[1].rank, 2);
  EXPECT_EQ(root.children[2].rank, 4);
  EXPECT_EQ(root.children[2].subtree, 4);
  const LevelTree six = level_tree(6, 8, 0, 2);
  EXPECT_EQ(six.parent, 4);
  EXPECT_EQ(six.parent_level, 2);
  EXPECT_EQ(six.subtree, 2);
}

// The exact form of the paper's Eq. 5: ceil(N / 2^i - 1/2) messages on level i, in integers.
TEST(LevelTree, BinomialMessagesOnLevel) {
  for (int size = 1; size <= 4096; ++size) {
    std::vector<int> messages(14, 0);
    for (int rank = 0; rank < size; ++rank) ++messages[level_tree(rank, size, 0, 2).parent_level];
    EXPECT_EQ(messages[0], 1) << "only the root gives to nobody, size " << size;
    for (int i = 1; i < std::ssize(messages); ++i) {
      EXPECT_EQ(messages[i], (2 * size + (1 << i) - 1) / (2 << i)) << "size " << size << ", level " << i;
    }
  }
}

TEST(LevelTree, HeightIsTheLeastThatHolds) {
  for (int arity = 2; arity <= 9; ++arity) {
    for (int size = 1; size <= 5000; ++size) {
      const int height = tree_height(size, arity);
      EXPECT_GE(std::pow(arity, height), size);
      EXPECT_TRUE(height == 0 || std::pow(arity, height - 1) < size) << size;
    }
  }
  EXPECT_EQ(tree_height(2147483647, 2), 31);
  EXPECT_EQ(tree_height(2147483647, 2147483647), 1);
}

TEST(LevelTree, FarRanks) {
  const int size = 2147483647;
  const LevelTree last = level_tree(size - 1, size, 0, 2);
  EXPECT_EQ(last.parent, 2147483644);  // 2^31 - 2 sends on level 2, to the next lower multiple of 4
  EXPECT_EQ(last.parent_level, 2);
  EXPECT_EQ(last.subtree, 1);
  EXPECT_EQ(level_tree(0, size, size - 1, 2).parent, size - 1);
}

TEST(LevelTree, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(tree_height(0, 2), std::invalid_argument);
  EXPECT_THROW(tree_height(4, 1), std::invalid_argument);
  EXPECT_THROW(level_tree(4, 4, 0, 2), std::invalid_argument);
  EXPECT_THROW(level_tree(-1, 4, 0, 2), std::invalid_argument);
  EXPECT_THROW(level_tree(0, 4, 4, 2), std::invalid_argument);
  EXPECT_THROW(level_tree(0, 4, -1, 2), std::invalid_argument);
  const std::vector<int> nodes = {0, 0, 1};
  EXPECT_THROW(level_tree_over_nodes(3, nodes, 0, 2), std::invalid_argument);
  EXPECT_THROW(level_tree_over_nodes(0, nodes, 3, 2), std::invalid_argument);
  EXPECT_THROW(level_tree_over_nodes(0, nodes, 0, 1), std::invalid_argument);
  EXPECT_THROW(level_tree_over_nodes(0, {}, 0, 2), std::invalid_argument);
}

}  // namespace
}  // namespace strata::mpix
