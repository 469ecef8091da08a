// SPDX-License-Identifier: LGPL-2.1-only
// The number of ranks that fit into a process with a limit on memory mappings.
#include "sim/launcher/mappings.h"

#include <gtest/gtest.h>

#include <optional>

namespace strata::sim {
namespace {

constexpr long kLinux = 65530;  // Linux's default of vm.max_map_count

// Of 65,530, the simulator keeps 1,000.
TEST(Mappings, TheFirstThatFits) {
  struct Row {
    long ranks, copies;
    bool merged, guards;
  };
  for (const Row& row : {Row{1, 1, false, true}, Row{8066, 1, false, true}, Row{8067, 1, true, true},
                         Row{16132, 1, true, true}, Row{16133, 1, true, false}, Row{32265, 1, true, false},
                         Row{4609, 2, false, true}, Row{4610, 2, true, true}, Row{16132, 2, true, false},
                         Row{32265, 0, false, true}, Row{32266, 0, true, false}, Row{1'000'000, 0, true, false}}) {
    const std::optional<Mappings> chosen = choose_mappings(row.ranks, row.copies, kLinux);
    ASSERT_TRUE(chosen.has_value()) << row.ranks;
    EXPECT_EQ(chosen->merged, row.merged) << row.ranks << " ranks, " << row.copies << " copies";
    EXPECT_EQ(chosen->guards, row.guards) << row.ranks << " ranks, " << row.copies << " copies";
  }
}

TEST(Mappings, TooManyRanks) {
  EXPECT_FALSE(choose_mappings(32266, 1, kLinux).has_value());
  EXPECT_FALSE(choose_mappings(16133, 2, kLinux).has_value());
  EXPECT_EQ(fewest_mappings(32266, 1), 1000 + 2 * 32266);
  EXPECT_TRUE(choose_mappings(32266, 1, fewest_mappings(32266, 1)).has_value());
}

}  // namespace
}  // namespace strata::sim
