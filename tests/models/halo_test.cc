// SPDX-License-Identifier: LGPL-2.1-only
// The neighbours of small meshes, and the partners of EuroMPI'18, Table 3.
#include "models/halo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "platforms/topology.h"

namespace strata::models {
namespace {

using Order = HaloCase::Order;

// `np` ranks in order, `per_node` on each node. Only the node of a binding matters.
std::vector<Binding> packed(int np, int per_node) {
  std::vector<Binding> ranks;
  for (int r = 0; r < np; ++r) ranks.push_back({.node = r / per_node, .cpuset = {}, .core = -1});
  return ranks;
}

TEST(Halo, OfAThreeByTwoMeshInTheOrderOfTheDimensions) {
  const std::vector<Message> open = {{0, 2}, {0, 1}, {1, 3}, {1, 0}, {2, 0}, {2, 4}, {2, 3},
                                     {3, 1}, {3, 5}, {3, 2}, {4, 2}, {4, 5}, {5, 3}, {5, 4}};
  EXPECT_EQ(halo_messages({.dims = {3, 2}, .periods = {false, false}, .order = Order::kRowMajor}, packed(6, 6)), open);
  // In a periodic dimension of 2 both directions lead to the same neighbour; in one of 1, to the process itself.
  const std::vector<Message> round = {{0, 1}, {0, 1}, {0, 0}, {0, 0}, {1, 0}, {1, 0}, {1, 1}, {1, 1}};
  EXPECT_EQ(halo_messages({.dims = {2, 1}, .periods = {true, true}, .order = Order::kRowMajor}, packed(2, 2)), round);
}

struct Partners {
  int min_on, max_on;
  double average_on;
};

Partners on_node(const std::vector<int>& dims, Order order, int per_node) {
  int np = 1;
  for (const int d : dims) np *= d;
  const std::vector<Binding> ranks = packed(np, per_node);
  std::vector<int> on(ranks.size(), 0);
  for (const Message& m :
       halo_messages({.dims = dims, .periods = std::vector<bool>(dims.size(), false), .order = order}, ranks)) {
    if (ranks[m.from].node == ranks[m.to].node) ++on[m.from];
  }
  double sum = 0;
  for (const int n : on) sum += n;
  return {*std::min_element(on.begin(), on.end()), *std::max_element(on.begin(), on.end()), sum / np};
}

TEST(Halo, HasThePartnersOfTable3) {
  const Partners cart2 = on_node({128, 128}, Order::kRowMajor, 16),
                 nodecart2 = on_node({128, 128}, Order::kNodecart, 16);
  EXPECT_EQ(cart2.min_on, 1);
  EXPECT_EQ(cart2.max_on, 2);
  EXPECT_DOUBLE_EQ(cart2.average_on, 1.875);
  EXPECT_EQ(nodecart2.min_on, 2);
  EXPECT_EQ(nodecart2.max_on, 4);
  EXPECT_DOUBLE_EQ(nodecart2.average_on, 3);
  const Partners nodecart3 = on_node({32, 32, 16}, Order::kNodecart, 16);
  EXPECT_EQ(nodecart3.min_on, 3);
  EXPECT_EQ(nodecart3.max_on, 4);
  EXPECT_DOUBLE_EQ(nodecart3.average_on, 3.5);
}

// 36 processes per node on 9x8x8 form blocks of 9x2x2 (Section 2.1): 2 (8*4 + 9*2 + 9*2) / 36 partners on the node.
TEST(Halo, TakesFactorsThatDivideTheDimensions) {
  EXPECT_DOUBLE_EQ(on_node({9, 8, 8}, Order::kNodecart, 36).average_on, 2 * (8 * 4 + 2 * 18 / 2 * 2) / 36.0);
}

TEST(Halo, RefusesWhatNodecartCannotDo) {
  const auto of = [](std::vector<int> dims, const std::vector<Binding>& ranks) {
    const std::vector<bool> open(dims.size(), false);
    return halo_messages({.dims = std::move(dims), .periods = open, .order = Order::kNodecart}, ranks);
  };
  EXPECT_THROW(of({4, 4}, packed(15, 5)), std::invalid_argument);  // wrong number of ranks
  EXPECT_THROW(of({4, 4}, packed(16, 5)), std::invalid_argument);  // nodes of 5, 5, 5 and 1
}

}  // namespace
}  // namespace strata::models
