// SPDX-License-Identifier: LGPL-2.1-only
// Error bars in tables, ratios, charts and comparisons, worked out by hand: one latency is worth 10 us of 100 us, and 5
// us of 50 us.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/bars_text.h"
#include "analysis/blind_errors.h"
#include "analysis/compare.h"
#include "analysis/console.h"
#include "analysis/derive.h"
#include "analysis/difference_bar.h"
#include "analysis/figures.h"
#include "analysis/gate.h"
#include "tests/analysis/small_study.h"

namespace strata::analysis {
namespace {

using ::testing::HasSubstr;

BarFigure latency(double effect, double value = 2) {
  return {.figure = "Package.latency",
          .value = value,
          .unit = "us",
          .plus_minus = 0.2,
          .larger = effect,
          .smaller = -effect};
}

RecordedBar bar_of(double value, const BarFigure& figure) {
  return {.low = value - figure.larger, .high = value + figure.larger, .without_interval = 3, .figures = {figure}};
}

// Each time is off by a tenth of it because of one latency.
Results barred_results(double latency_us = 2) {
  Results r = small_results();
  r.manifest.study.error_bars = true;
  for (Record& record : r.records) record.bar = bar_of(record.value, latency(record.value / 10, latency_us));
  return r;
}

TEST(RatioBar, OneFigureChangesBothAtOnce) {
  const RecordedBar over = bar_of(100, latency(10)), under = bar_of(50, latency(5));
  const auto same = ratio_bar(100, over, 50, under);
  ASSERT_TRUE(same);
  EXPECT_DOUBLE_EQ(same->low, 2);  // 110 / 55 and 90 / 45
  EXPECT_DOUBLE_EQ(same->high, 2);
  EXPECT_EQ(same->figures.size(), 1u);
  EXPECT_EQ(same->without_interval, 3u);
}

TEST(RatioBar, FiguresOfTwoMachinesChangeOneEach) {
  const auto bar = ratio_bar(100, bar_of(100, latency(10)), 50, bar_of(50, latency(5, 2.2)));
  ASSERT_TRUE(bar);
  ASSERT_EQ(bar->figures.size(), 2u);
  EXPECT_DOUBLE_EQ(bar->figures[0].larger, 110. / 50 - 2);
  EXPECT_DOUBLE_EQ(bar->figures[1].larger, 100. / 55 - 2);
  EXPECT_DOUBLE_EQ(bar->high, 2 + std::hypot(0.2, 100. / 45 - 2));
  EXPECT_DOUBLE_EQ(bar->low, 2 - std::hypot(0.2, 2 - 100. / 55));
}

TEST(RatioBar, IsUnknownWhereTheDenominatorMayBeZero) {
  EXPECT_FALSE(ratio_bar(100, bar_of(100, latency(10)), 50, bar_of(50, latency(50))));
  EXPECT_FALSE(ratio_bar(100, bar_of(100, latency(10)), 0, bar_of(0, latency(0))));
}

TEST(Bars, AreInTablesAndRatios) {
  const std::vector<Table> tables = quantities(barred_results());
  const Json point = {{"algorithm", "linear"}, {"elements", 1000}, {"variant", "native"}};
  ASSERT_NE(tables.front().bar_at(point), nullptr);
  EXPECT_DOUBLE_EQ(tables.front().bar_at(point)->low, 270e-6);
  EXPECT_DOUBLE_EQ(tables.front().bar_at(point)->high, 330e-6);
  ASSERT_NE(tables.back().bar_at(point), nullptr);
  EXPECT_DOUBLE_EQ(tables.back().bar_at(point)->low, 15);
  EXPECT_EQ(quantities(small_results()).front().bar_at(point), nullptr);
  // A time without a bar has none in the ratio either.
  Results some = barred_results();
  some.records.front().bar.reset();
  const Json first = {{"algorithm", "linear"}, {"elements", 1}, {"variant", "native"}};
  EXPECT_EQ(quantities(some).front().bar_at(first), nullptr);
  EXPECT_EQ(quantities(some).back().bar_at(first), nullptr);
  EXPECT_NE(quantities(some).back().bar_at(point), nullptr);
}

TEST(Bars, AreOnTheTerminalWithWhatTheyDoNotCover) {
  const std::string text = console_table(barred_results(), {});
  EXPECT_THAT(text, HasSubstr(" 300.0 (270 to 330) "));
  EXPECT_THAT(text, HasSubstr("\nranges in brackets: 95 %, from the intervals of the machine's figures; 3 figures have "
                              "none\n" +
                              blind_errors_text()));
  const std::string plain = console_table(small_results(), {});
  EXPECT_THAT(plain, ::testing::Not(HasSubstr("ranges")));
  Results none = small_results();
  none.manifest.study.error_bars = true;
  EXPECT_EQ(bars_lines(none).front(), no_error_bar_text("toy_4x8"));
}

TEST(Bars, AreBandsOfLines) {
  const Results r = barred_results();
  const Figures drawn = figures(r, quantities(r), {});
  ASSERT_FALSE(drawn.charts.empty());
  for (const Series& s : drawn.charts.front().series) {
    ASSERT_EQ(s.band.size(), s.points.size());
    for (std::size_t i = 0; i < s.band.size(); ++i) {
      EXPECT_EQ(s.band[i].x, s.points[i].x);
      EXPECT_DOUBLE_EQ(s.band[i].low, 0.9 * *s.points[i].y);
      EXPECT_DOUBLE_EQ(s.band[i].high, 1.1 * *s.points[i].y);
    }
  }
}

// 10 % slower: on one machine by 10 us +- 1 us of 100 us; on another machine by 10 us +- 14.9 us.
TEST(Bars, OfDifferencesBetweenRuns) {
  const auto slower = [](double latency_us) {
    Results r = barred_results(latency_us);
    for (Record& record : r.records) {
      record.value *= 1.1;
      record.bar = bar_of(record.value, latency(record.value / 10, latency_us));
    }
    return r;
  };
  const auto compared = [&](double latency_us) {
    return compare_results({"base", "results", barred_results()}, {"new", "results", slower(latency_us)}, {}, false);
  };
  int seen = 0;
  const Gate on_one = compared(2), on_another = compared(2.2);
  for (const Gate* gate : {&on_one, &on_another}) {
    for (const Difference& d : gate->differences) {
      if (gate->quantity(d).metric != "time") continue;
      ASSERT_TRUE(d.bar);
      const double base = std::get<double>(gate->sides.base[*d.base].value);
      EXPECT_EQ(d.bar->is_distinguishable(), gate == &on_one);
      EXPECT_NEAR(d.bar->high, base * (0.1 + (gate == &on_one ? 0.01 : std::hypot(0.1, 0.11))), 1e-12);
      ++seen;
    }
  }
  EXPECT_EQ(seen, 16);
  EXPECT_THAT(gate_text(on_another, 1), HasSubstr(": the difference is "));
  EXPECT_THAT(gate_text(on_another, 1), HasSubstr("time at algorithm = "));
  // A report of both has the ratio base / new, which a common latency does not change.
  const std::vector<Table> tables = quantities(compare(slower(2), {barred_results()}));
  const Table& ratio = quantity_named(tables, "base / this", "", "");
  ASSERT_FALSE(ratio.bars.empty());
  for (const auto& bar : ratio.bars) {
    ASSERT_TRUE(bar);
    EXPECT_NEAR(bar->low, 1 / 1.1, 1e-12);
    EXPECT_NEAR(bar->high, 1 / 1.1, 1e-12);
  }
}

}  // namespace
}  // namespace strata::analysis
