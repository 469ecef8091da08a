// SPDX-License-Identifier: LGPL-2.1-only
// Cpuset: the list syntax, with its errors, and set algebra compared with std::set.
#include "platforms/cpuset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace strata {
namespace {

TEST(Cpuset, ParsesListsAndPrintsThemInNormalForm) {
  const std::vector<std::pair<std::string, std::string>> cases = {{"0", "0"},
                                                                  {"0-3,8", "0-3,8"},
                                                                  {"8,0-3", "0-3,8"},
                                                                  {"3-3", "3"},
                                                                  {"0,1,2", "0-2"},
                                                                  {"0-4,2-6", "0-6"},
                                                                  {"007", "7"},
                                                                  {"1000000", "1000000"},
                                                                  {"63-64", "63-64"},
                                                                  {"5,5,5", "5"},
                                                                  {"999999-1000000", "999999-1000000"}};
  for (const auto& [text, normal] : cases) {
    const std::optional<Cpuset> set = Cpuset::parse(text);
    ASSERT_TRUE(set.has_value()) << text;
    EXPECT_EQ(set->list(), normal);
  }
}

TEST(Cpuset, RefusesWhatIsNoList) {
  for (const char* text : {"",
                           " ",
                           ",",
                           "-",
                           "-1",
                           "0-",
                           "3-1",
                           "0-1-2",
                           "1,",
                           ",1",
                           "1,,2",
                           "0x1",
                           "a",
                           "1 2",
                           "1 ",
                           " 1",
                           "1-a",
                           "1;2",
                           "1000001",
                           "0-1000001",
                           "99999999999999999999",
                           "0-99999999999999999999",
                           "1-,2",
                           "+1",
                           "1.5",
                           "all"}) {
    EXPECT_FALSE(Cpuset::parse(text).has_value()) << "'" << text << "'";
  }
}

TEST(Cpuset, CopiesAreIndependentAndMovesLeaveNothing) {
  Cpuset a = *Cpuset::parse("1-3");
  Cpuset b = a;
  b.add(9);
  EXPECT_EQ(a.list(), "1-3");
  EXPECT_EQ(b.list(), "1-3,9");
  a = std::move(b);
  EXPECT_EQ(a.list(), "1-3,9");
  EXPECT_EQ(Cpuset().list(), "");
  EXPECT_EQ(Cpuset(nullptr).count(), 0);
  EXPECT_FALSE(a.infinite());
  Cpuset all;
  hwloc_bitmap_fill(all.bitmap());
  EXPECT_TRUE(all.infinite());
}

// 2,000 pairs of random sets of numbers below 200, dense and sparse: every operation has the result of std::set.
TEST(Cpuset, AgreesWithStdSet) {
  constexpr unsigned kSeed = 9077;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  for (int round = 0; round < 2000; ++round) {
    std::set<int> sets[2];
    Cpuset cpusets[2];
    for (int i = 0; i < 2; ++i) {
      for (unsigned n = random() % (round % 2 ? 6 : 150); n > 0; --n) {
        const int pu = static_cast<int>(random() % 200);
        sets[i].insert(pu);
        cpusets[i].add(pu);
      }
    }
    const auto& [a, b] = sets;
    std::set<int> both, either = a;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
    either.insert(b.begin(), b.end());
    const auto expect_equal = [](const Cpuset& cpuset, const std::set<int>& set) {
      std::set<int> listed;
      for (int pu = cpuset.first(); pu >= 0; pu = cpuset.next(pu)) listed.insert(pu);
      EXPECT_EQ(listed, set);
      EXPECT_EQ(cpuset.count(), static_cast<int>(set.size()));
      EXPECT_EQ(cpuset.empty(), set.empty());
      if (!set.empty()) {
        EXPECT_TRUE(*Cpuset::parse(cpuset.list()) == cpuset);
      }
    };
    expect_equal(Cpuset(cpusets[0]) &= cpusets[1], both);
    expect_equal(Cpuset(cpusets[0]) |= cpusets[1], either);
    EXPECT_EQ(cpusets[0].includes(cpusets[1]), both == b);
    EXPECT_EQ(cpusets[0].intersects(cpusets[1]), !both.empty());
    EXPECT_EQ(cpusets[0] == cpusets[1], a == b);
    for (int pu = 0; pu < 200; ++pu) EXPECT_EQ(cpusets[0].contains(pu), a.count(pu) == 1);
  }
}

}  // namespace
}  // namespace strata
