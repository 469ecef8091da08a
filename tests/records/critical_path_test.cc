// SPDX-License-Identifier: LGPL-2.1-only
// The sums of a critical path: a worked example.
#include "records/critical_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

namespace strata {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = PathKind;

// Rank 0 computes and sends; rank 1 waits for message 5 in function 1, and computes.
CriticalPath example() {
  CriticalPath path;
  path.seconds = 10;
  path.functions = {"MPI_Send", "MPI_Recv"};
  path.levels = {"Package"};
  path.pieces = {
      {.from = 0, .to = 4, .kind = Kind::kComputing, .rank = 0},
      {.from = 4, .to = 5, .kind = Kind::kOverhead, .rank = 0, .function = 0, .level = 0},
      {.from = 5, .to = 7, .kind = Kind::kLatency, .rank = 1, .function = 1, .level = 0, .message = 5, .sender = 0},
      {.from = 7, .to = 8, .kind = Kind::kTransfer, .rank = 1, .function = 1, .level = 0, .message = 5, .sender = 0},
      {.from = 8, .to = 10, .kind = Kind::kComputing, .rank = 1},
  };
  return path;
}

std::vector<int> indexes(const std::vector<PathShare>& shares) {
  std::vector<int> all;
  for (const PathShare& s : shares) all.push_back(s.index);
  return all;
}

std::vector<double> seconds(const std::vector<PathShare>& shares) {
  std::vector<double> all;
  for (const PathShare& s : shares) all.push_back(s.seconds());
  return all;
}

TEST(CriticalPath, PiecesAreAddedUp) {
  CriticalPath path = example();
  for (int times = 0; times < 2; ++times) {
    add_up(path);
    EXPECT_EQ(path.whole.seconds(), 10);
    EXPECT_EQ(path.whole.seconds(Kind::kComputing), 6);
    EXPECT_EQ(path.whole.seconds(Kind::kOverhead), 1);
    EXPECT_EQ(path.whole.messages, 1) << "latency and transfer are of the same message";
    EXPECT_THAT(indexes(path.by_rank), ElementsAre(0, 1)) << "of two that are equal, the first";
    EXPECT_THAT(seconds(path.by_rank), ElementsAre(5, 5));
    EXPECT_THAT(indexes(path.by_function), ElementsAre(-1, 1, 0));
    EXPECT_THAT(seconds(path.by_function), ElementsAre(6, 3, 1));
    EXPECT_THAT(indexes(path.by_level), ElementsAre(-1, 0));
    EXPECT_THAT(seconds(path.by_level), ElementsAre(6, 4));
    EXPECT_THAT(indexes(named(path.by_level)), ElementsAre(0));
    EXPECT_EQ(path.by_rank[0].messages, 0);
    EXPECT_EQ(path.by_rank[1].messages, 1);
  }
}

TEST(CriticalPath, OfNothing) {
  CriticalPath path;
  add_up(path);
  EXPECT_EQ(path.whole.seconds(), 0);
  EXPECT_THAT(path.by_rank, IsEmpty());
  EXPECT_EQ(seconds_by_kind(path.whole).dump(), "{}");
}

TEST(CriticalPath, TheLongestPiecesStayInOrder) {
  const CriticalPath path = example();
  EXPECT_THAT(longest_pieces(path.pieces, 3), ElementsAre(0, 2, 4));
  EXPECT_THAT(longest_pieces(path.pieces, 4), ElementsAre(0, 1, 2, 4)) << "of two that are equal, the first";
  EXPECT_THAT(longest_pieces(path.pieces, 9), ElementsAre(0, 1, 2, 3, 4));
}

TEST(CriticalPath, KindsHaveNames) {
  CriticalPath path = example();
  add_up(path);
  EXPECT_EQ(seconds_by_kind(path.whole).dump(), R"({"computing":6.0,"overhead":1.0,"latency":2.0,"transfer":1.0})");
  std::set<std::string_view> names;
  for (std::size_t k = 0; k < kPathKinds; ++k) names.insert(name_of(static_cast<PathKind>(k)));
  EXPECT_EQ(names.size(), kPathKinds);
  EXPECT_EQ(names.count(""), 0u);
  EXPECT_EQ(name_of(Kind::kWaiting), "waiting") << "the last";
}

}  // namespace
}  // namespace strata
