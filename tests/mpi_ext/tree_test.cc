// SPDX-License-Identifier: LGPL-2.1-only
// The trees of the collectives compared with shapes that were written by hand from the pictures in Open MPI 2.0.1's
// coll_base_topo.c. The property checker compares them with their definitions (area trees).
#include "mpi_ext/coll/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strata::mpix {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
