// SPDX-License-Identifier: LGPL-2.1-only
#include "models/split_tree_machine.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

const TreeCollective& collective(const char* name) { return *find_tree_collective(name); }

// Cores copy at 2 GB/s, and combine at 2 GB/s if the machine does not state otherwise: 2 MB take 1 ms for each.
TEST(SplitTreeMachine, UnitIsACopyAndACombination) {
  Machine machine = uniform_machine("node:2 pack:2 core:4 pu:1");
  EXPECT_DOUBLE_EQ(message_unit(machine, collective("ibcast"), Bytes(2e6)).value, 1e-3);
  EXPECT_DOUBLE_EQ(message_unit(machine, collective("ireduce"), Bytes(2e6)).value, 2e-3);
  machine.stated_combine_bandwidth = machine.copy_bandwidth;
  machine.stated_combine_bandwidth->si = 4e9;
  EXPECT_DOUBLE_EQ(message_unit(machine, collective("ireduce"), Bytes(2e6)).value, 1.5e-3);
  EXPECT_DOUBLE_EQ(message_unit(machine, collective("igather"), Bytes(2e6)).value, 1e-3);
  EXPECT_EQ(find_tree_collective("iscan"), nullptr);
}

TEST(SplitTreeMachine, TreesOfOneNodeAndOfSeveral) {
  const Machine machine = uniform_machine("node:2 pack:2 core:4 pu:1");
  const SplitTree one = full_tree(machine, collective("iscatter"), Bytes(2e6), 4, 1);
  EXPECT_EQ(one.cores, 8);
  EXPECT_EQ(one.ranks, 8);
  EXPECT_EQ(one.arity, 4);
  EXPECT_EQ(one.nodes, 1);
  EXPECT_EQ(one.weight, Weight::kDoubling);
  EXPECT_EQ(one.direction, Direction::kOneToAll);
  // Between nodes a message takes 1 us + 2,000,016 B at 1 GB/s, and its combination 1 ms; the unit is 2 ms.
  const SplitTree two = full_tree(machine, collective("iallreduce"), Bytes(2e6), 2, 2);
  EXPECT_EQ(two.nodes, 2);
  EXPECT_DOUBLE_EQ(two.combine, 0.5);
  EXPECT_DOUBLE_EQ(two.network, (1e-6 + 2000016e-9 + 1e-3) / 2e-3);
  EXPECT_DOUBLE_EQ(blocking_time(two), 3 + 3 * 0.5 + 2 * two.network - 0.5);
}

TEST(SplitTreeMachine, RefusesNodesThatAreNotThere) {
  const Machine machine = uniform_machine("node:2 pack:2 core:4 pu:1");
  EXPECT_THROW(full_tree(machine, collective("ireduce"), Bytes(1), 2, 3), InputError);
  EXPECT_THROW(full_tree(machine, collective("ireduce"), Bytes(1), 2, 0), InputError);
  EXPECT_THROW(full_tree(machine, collective("igather"), Bytes(1), 2, 2), InputError);
}

}  // namespace
}  // namespace strata::models
