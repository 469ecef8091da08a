// SPDX-License-Identifier: LGPL-2.1-only
// Each algorithm computes what its operation says: on values, for all small numbers of ranks, roots and sizes.
#include <gtest/gtest.h>

#include <set>

#include "collectives/schedules/open_mpi.h"
#include "collectives/schedules/tree_places.h"
#include "models/trees.h"
#include "tests/collectives/schedules/expected_values.h"
#include "tests/collectives/uneven_blocks.h"

namespace strata::collectives {
namespace {

// Algorithms that keep the order of operands, or leave operations that are not commutative to one that does.
bool keeps_order(const OpenMpiAlgorithm& a) {
  switch (a.operation) {
    case Operation::kReduce:
      return a.number == 1 || a.number == 6 || a.number == 7;
    case Operation::kAllreduce:
      return a.number == 1 || a.number == 2 || a.number == 3 || a.number == 6;
    case Operation::kReduceScatter:
      return a.number == 1 || a.number == 4;
    default:
      return true;
  }
}

// An algorithm for a collective of which another one consists: any that keeps the order of operands.
void part(const Collective& call, int rank, Steps& steps) {
  const int number = call.operation == Operation::kReduce ? 6 : 2;
  find_open_mpi(call.operation, number)->generate(call, {.segment_bytes = 2, .fanout = 2}, rank, steps);
}

bool supports(const OpenMpiAlgorithm& a, int ranks) { return !a.only_two_ranks || ranks == 2; }

TEST(Schedules, AllComputeWhatTheirOperationSays) {
  for (const OpenMpiAlgorithm& a : open_mpi_algorithms()) {
    for (int ranks = 2; ranks <= 17; ranks += ranks < 9 ? 1 : 4) {
      if (!supports(a, ranks)) continue;
      for (int root = 0; root<(has_root(a.operation) ? ranks : 1); root += ranks> 9 ? 3 : 1) {
        std::set<std::int64_t> counts = {1, 2, 3, ranks - 1, ranks, ranks + 1, 2L * ranks + 3};
        counts.erase(0);
        for (const std::int64_t count : counts) {
          for (const std::int64_t segment : {0, 1, 3}) {
            for (const bool commutative : {true, false}) {
              if (!commutative && !(reduces(a.operation) && keeps_order(a))) continue;
              for (const bool in_place : {false, true}) {
                if (in_place && !has_in_place(a.operation)) continue;
                for (const int requests : {0, 2}) {
                  if (requests != 0 && a.operation != Operation::kReduce && a.operation != Operation::kScatter)
                    continue;
                  Collective call = {a.operation, ranks, root, count, 1, commutative, in_place, {}};
                  call.counts = uneven_blocks(a.operation, ranks, count);
                  if (in_place) make_symmetric(call);
                  SCOPED_TRACE(std::string(name_of(a.operation)) + " " + std::to_string(a.number) + ", ranks " +
                               std::to_string(ranks) + ", root " + std::to_string(root) + ", count " +
                               std::to_string(count) + ", segment " + std::to_string(segment) +
                               (commutative ? "" : ", in order") + (in_place ? ", in place" : "") + ", requests " +
                               std::to_string(requests));
                  const Settings settings = {.segment_bytes = segment, .fanout = 3, .requests = requests, .part = part};
                  expect_right(call, [&](int rank, Steps& steps) { a.generate(call, settings, rank, steps); });
                  if (HasFatalFailure()) return;
                }
              }
            }
          }
        }
      }
    }
  }
}

// A mistake in a schedule is found: a rank that does not wait, one that sends too much, a deadlock.
TEST(OnValues, FindsMistakes) {
  Steps sender, receiver;
  sender.start_send(1, {Buffer::kOutput, 0, 2});
  receiver.receive(0, {Buffer::kOutput, 0, 2});
  EXPECT_EQ(OnValues(2, 4).run({sender.list(), receiver.list()}), "rank 0 does not wait for a request");
  Steps truncated;
  truncated.receive(0, {Buffer::kOutput, 0, 1});
  Steps waits;
  waits.send(1, {Buffer::kOutput, 0, 2});
  EXPECT_EQ(OnValues(2, 4).run({waits.list(), truncated.list()}), "a message is truncated");
  Steps first, second;
  first.send(1, {Buffer::kOutput, 0, 1});
  first.receive(1, {Buffer::kOutput, 1, 1});
  second.send(0, {Buffer::kOutput, 0, 1});
  second.receive(0, {Buffer::kOutput, 1, 1});
  EXPECT_EQ(OnValues(2, 4).run({first.list(), second.list()}), "rank 0 waits for ever");
}

TEST(Trees, WorkedExamples) {
  EXPECT_EQ(binary_tree(7, 0, 1).children, (std::vector<int>{3, 5}));
  EXPECT_EQ(binary_tree(7, 0, 6).parent, 2);
  EXPECT_EQ(binomial_tree(8, 0, 1).children, (std::vector<int>{3, 5}));
  EXPECT_EQ(binomial_tree(8, 0, 7).parent, 3);
  EXPECT_EQ(in_order_binomial_tree(8, 0, 4).children, (std::vector<int>{5, 6}));
  EXPECT_EQ(in_order_binomial_tree(8, 0, 7).parent, 6);
  // The picture of 10 ranks and radix 3 in coll_base_bcast.c.
  EXPECT_EQ(k_nomial_tree(10, 0, 0, 3).children, (std::vector<int>{9, 3, 6, 1, 2}));
  EXPECT_EQ(k_nomial_tree(10, 0, 3, 3).children, (std::vector<int>{4, 5}));
  EXPECT_EQ(k_nomial_tree(10, 0, 8, 3).parent, 6);
  EXPECT_EQ(chain(8, 0, 0, 4).children, (std::vector<int>{1, 3, 5, 7}));
  EXPECT_EQ(chain(8, 0, 2, 4).parent, 1);
  EXPECT_EQ(in_order_binary_tree(7, 6).children, (std::vector<int>{5, 2}));
  EXPECT_EQ(in_order_binary_tree(7, 4).parent, 5);
}

// Every tree reaches each rank once, from its root.
TEST(Trees, ReachEachRankOnce) {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    for (int root = 0; root < ranks; ++root) {
      const auto reaches_all = [&](auto tree, int top) {
        std::vector<int> reached = {top};
        EXPECT_EQ(tree(top).parent, -1);
        for (std::size_t i = 0; i < reached.size(); ++i) {
          for (const int child : tree(reached[i]).children) {
            EXPECT_EQ(tree(child).parent, reached[i]);
            reached.push_back(child);
          }
        }
        EXPECT_EQ(std::set(reached.begin(), reached.end()).size(), static_cast<std::size_t>(ranks));
        EXPECT_EQ(reached.size(), static_cast<std::size_t>(ranks));
      };
      SCOPED_TRACE(std::to_string(ranks) + " ranks, root " + std::to_string(root));
      reaches_all([&](int r) { return binary_tree(ranks, root, r); }, root);
      reaches_all([&](int r) { return binomial_tree(ranks, root, r); }, root);
      reaches_all([&](int r) { return in_order_binomial_tree(ranks, root, r); }, root);
      for (int k = 1; k <= 5; ++k) {
        reaches_all([&](int r) { return chain(ranks, root, r, k); }, root);
        if (k > 1) reaches_all([&](int r) { return k_nomial_tree(ranks, root, r, k); }, root);
      }
      reaches_all([&](int r) { return in_order_binary_tree(ranks, r); }, ranks - 1);
      if (HasFailure()) return;
    }
  }
}

// They are the trees of the models, which are built whole and from other definitions.
TEST(Trees, AreThoseOfTheModels) {
  const auto expect_same = [](const models::Tree& whole, int ranks, int root, auto place) {
    for (int v = 0; v < ranks; ++v) {
      const Place p = place((v + root) % ranks);
      std::vector<int> children;
      for (const int child : whole.children[v]) children.push_back((child + root) % ranks);
      ASSERT_EQ(p.children, children);
      ASSERT_EQ(p.parent, whole.parent[v] < 0 ? -1 : (whole.parent[v] + root) % ranks);
    }
  };
  for (int ranks = 1; ranks <= 40; ++ranks) {
    for (int root = 0; root < ranks; ++root) {
      SCOPED_TRACE(std::to_string(ranks) + " ranks, root " + std::to_string(root));
      expect_same(models::binary_tree(ranks), ranks, root, [&](int r) { return binary_tree(ranks, root, r); });
      expect_same(models::binomial_tree(ranks), ranks, root, [&](int r) { return binomial_tree(ranks, root, r); });
      expect_same(models::in_order_binomial_tree(ranks), ranks, root,
                  [&](int r) { return in_order_binomial_tree(ranks, root, r); });
      for (int k = 1; k <= 5; ++k) {
        expect_same(models::chain_tree(ranks, k), ranks, root, [&](int r) { return chain(ranks, root, r, k); });
      }
      if (HasFatalFailure()) return;
    }
    expect_same(models::in_order_binary_tree(ranks), ranks, 0, [&](int r) { return in_order_binary_tree(ranks, r); });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace strata::collectives
