// SPDX-License-Identifier: LGPL-2.1-only
// The progress line, with a clock that the test controls: its text, the estimate, its width, and that nothing is left
// behind.
#include "console/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "console/duration.h"

namespace strata::console {
namespace {

class ProgressTest : public ::testing::Test {
 protected:
  Screen screen(bool rewrites) {
    return {.rewrites = rewrites,
            .columns = [this] { return columns_; },
            .seconds = [this] { return now_s_; },
            .write = [this](const std::string& text) { written_ += text; }};
  }

  // The last line on the terminal at this moment.
  std::string line() const {
    constexpr std::string_view kClear = "\r\033[K";
    const std::string text = written_.substr(written_.rfind('\n') + 1);
    const size_t clear = text.rfind(kClear);
    return clear == std::string::npos ? text : text.substr(clear + kClear.size());
  }

  double now_s_ = 1000;
  int columns_ = 200;
  std::string written_;
};

TEST_F(ProgressTest, ALogHasALineForEachPoint) {
  {
    Progress progress({.what = "study", .total = 12, .already = 8}, screen(false));
    progress.working("starts");
    progress.point_done("NP=64: 0.0175 s");
    progress.note("shard 3 failed");
    now_s_ += 5;
    progress.point_done("NP=128: 0.02 s");
  }
  EXPECT_EQ(written_,
            "study: 8 of 12 points are there already\n"
            "[ 9/12] NP=64: 0.0175 s\n"
            "shard 3 failed\n"
            "[10/12] NP=128: 0.02 s\n");
}

TEST_F(ProgressTest, ALogHasALineWhenTheTextChanges) {
  Progress progress({.what = "", .total = 8}, screen(false));
  progress.points_done(1, "2 run", 60);
  progress.points_done(3, "2 run", 40);
  progress.points_done(4, "1 runs", {});
  EXPECT_EQ(written_, "[1/8] 2 run\n[4/8] 1 runs\n");
}

TEST_F(ProgressTest, QuietWorkWritesNothing) {
  for (const bool rewrites : {false, true}) {
    Progress progress({.what = "", .total = 8, .already = 1, .quiet = true}, screen(rewrites));
    progress.point_done("a");
    progress.points_done(3, "b", {});
    progress.working("c");
    progress.note("d");
  }
  {
    Progress progress({.what = "", .total = 8, .logged = false}, screen(false));
    progress.point_done("a");
  }
  EXPECT_EQ(written_, "");
}

// 12 of 320 points in 3 s are 0.25 s each, so 308 take 77 s, shown in tens of seconds.
TEST_F(ProgressTest, EstimatesTheTimeLeftFromPointsOfThisRun) {
  Progress progress({.what = "", .total = 320}, screen(true));
  EXPECT_EQ(line(), "[  0/320] 0 %");
  for (int i = 0; i < 12; ++i) {
    now_s_ += 0.25;
    progress.point_done("NP=64: 0.0175 s");
  }
  EXPECT_EQ(line(), "[ 12/320] 3 % · 1 min 20 s left · NP=64: 0.0175 s");
}

// 8 of 12 points existed already: only the ninth shows how long a point takes.
TEST_F(ProgressTest, PointsOfAnEarlierRunDoNotCount) {
  Progress progress({.what = "study", .total = 12, .already = 8}, screen(true));
  EXPECT_EQ(line(), "[ 8/12] 66 %");
  now_s_ += 10;
  progress.point_done("x");
  EXPECT_EQ(line(), "[ 9/12] 75 % · 30 s left · x");
}

TEST_F(ProgressTest, BeforeTheFirstPointIsTheTimePassed) {
  Progress progress({.what = "", .total = 2}, screen(true));
  now_s_ += 7;
  progress.working("starts");
  EXPECT_EQ(line(), "[0/2] 0 % · 7 s so far · starts");
}

TEST_F(ProgressTest, WorkWithoutPointsHasAFraction) {
  Progress progress({.what = ""}, screen(true));
  EXPECT_EQ(written_, "");
  now_s_ += 15;
  progress.working("least time 17.5 ms", 0.25);
  EXPECT_EQ(line(), "25 % · 45 s left · least time 17.5 ms");
  now_s_ += 60;
  progress.working("ends", 1.2);
  EXPECT_EQ(line(), "100 % · 1 min 20 s so far · ends");
}

TEST_F(ProgressTest, UnevenPointsHaveNoEstimate) {
  Progress progress({.what = "", .total = 9, .even = false}, screen(true));
  now_s_ += 10;
  progress.point_done("");
  progress.clear();
  progress.working("hsplit: 12,345 cases");
  EXPECT_EQ(line(), "[1/9] 10 s so far · hsplit: 12,345 cases");
}

TEST_F(ProgressTest, OthersKnowTheTimeLeft) {
  Progress progress({.what = "", .total = 4000}, screen(true));
  progress.points_done(1320, "5 of 20 shards are done", 1860);
  EXPECT_EQ(line(), "[1320/4000] 33 % · 31 min left · 5 of 20 shards are done");
}

TEST_F(ProgressTest, FitsIntoTheTerminal) {
  columns_ = 20;
  Progress progress({.what = "", .total = 10}, screen(true));
  progress.point_done("µ·µ·µ·µ·µ·µ");
  EXPECT_EQ(line(), "[ 1/10] 10 % · 1 s ");  // 19 characters
  columns_ = 30;                             // the terminal was made wider
  progress.point_done("µ·µ\n·µ");
  EXPECT_EQ(line(), "[ 2/10] 20 % · 1 s left · µ·µ");
}

TEST_F(ProgressTest, DrawsNoMoreOftenThanPeopleRead) {
  Progress progress({.what = ""}, screen(true));
  for (int i = 0; i < 1000; ++i) {
    now_s_ += 0.001;
    progress.working("x", i / 1000.0);
  }
  const auto drawn = std::count(written_.begin(), written_.end(), '\r');
  EXPECT_GE(drawn, 19);
  EXPECT_LE(drawn, 21);
}

TEST_F(ProgressTest, NothingStaysOnTheLine) {
  try {
    Progress progress({.what = "", .total = 10}, screen(true));
    progress.point_done("x");
    progress.note("shard 3 failed");
    EXPECT_EQ(line(), "");
    progress.point_done("y");
    EXPECT_NE(line(), "");
    throw std::runtime_error("as by Ctrl-C");
  } catch (const std::runtime_error&) {
    EXPECT_EQ(line(), "");
  }
  EXPECT_NE(written_.find("\r\033[Kshard 3 failed\n"), std::string::npos);
}

TEST(Duration, HasTheDigitsThatAnEstimateHas) {
  EXPECT_EQ(duration_text(0), "1 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min");
  EXPECT_EQ(duration_text(77), "1 min 20 s");
  EXPECT_EQ(duration_text(594), "9 min 50 s");
  EXPECT_EQ(duration_text(595), "10 min");
  EXPECT_EQ(duration_text(3569), "59 min");
  EXPECT_EQ(duration_text(3570), "1 h");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
  EXPECT_EQ(duration_text(86399), "1 d");
  EXPECT_EQ(duration_text(100000), "1 d 4 h");
  EXPECT_EQ(duration_text(std::numeric_limits<double>::max()), "365000 d");
}

}  // namespace
}  // namespace strata::console
