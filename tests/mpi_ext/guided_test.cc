// SPDX-License-Identifier: LGPL-2.1-only
// The info of a guided split, and hierarchies of blocks. The property checker compares guided splits themselves with
// their definitions (check/areas/hsplit_area.h).
#include "mpi_ext/hierarchy/guided.h"

#include <gtest/gtest.h>

#include <climits>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace strata::mpix {
namespace {

TEST(LevelHintText, NamesAndNumbers) {
  const auto number = [](const char* text) {
    const std::optional<LevelHint> hint = parse_level_hint(text);
    return hint && hint->name.empty() ? hint->splits : -1;
  };
  EXPECT_EQ(number("1"), 1);
  EXPECT_EQ(number("12"), 12);
  EXPECT_EQ(number("99999999999999999999"), INT_MAX);
  for (const char* bad : {"", "0", "00", "-1", "+1", "1.5", "2x", "-Package"})
    EXPECT_FALSE(parse_level_hint(bad)) << bad;
  for (const char* name : {"Package", "l3", "System - Cluster", "x1", " 1"}) {
    ASSERT_TRUE(parse_level_hint(name)) << name;
    EXPECT_EQ(parse_level_hint(name)->name, name);
  }
}

// Blocks of consecutive ranks, for all products of up to four numbers that are at most 36.
TEST(Blocks, CutIntoEqualPartsLevelByLevel) {
  int cases = 0;
  const std::function<void(int, int, std::vector<int>)> factors = [&](int size, int left, std::vector<int> groups) {
    if (left == 1 && !groups.empty()) {
      const Hierarchy h = split_into_blocks(size, groups);
      EXPECT_TRUE(all_consecutive(h));
      for (int r = 0; r < size; ++r) {
        ASSERT_EQ(h.levels[r].size(), groups.size());
        int block = size;
        for (size_t i = 0; i < groups.size(); ++i) {
          const int parent = block;
          block /= groups[i];
          const Communicator& c = h.comms[h.levels[r][i]];
          std::vector<int> members, roots;
          for (int m = 0; m < block; ++m) members.push_back(r / block * block + m);
          for (int g = 0; g < groups[i]; ++g) roots.push_back(r / parent * parent + g * block);
          EXPECT_EQ(c.members, members);
          EXPECT_EQ(h.roots(c), roots);
          EXPECT_EQ(c.index, r % parent / block);
          EXPECT_EQ(h.num_comms(c), groups[i]);
        }
      }
      ++cases;
    }
    if (groups.size() == 4) return;
    for (int n = 1; n <= left; ++n) {
      if (left % n != 0) continue;
      std::vector<int> longer = groups;
      longer.push_back(n);
      factors(size, left / n, longer);
    }
  };
  for (int size = 1; size <= 36; ++size) factors(size, size, {});
  EXPECT_EQ(cases, 1309);  // tuples of one to four factors
  EXPECT_TRUE(split_into_blocks(1, {}).comms.empty());
}

}  // namespace
}  // namespace strata::mpix
