// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/fit/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/calibration/fit/noise.h"

namespace strata::calibration {
namespace {

// The model y = a x, fitted by the median of y / x.
BootstrapOf factor(double a) {
  return {.fitted = [a](double x) { return a * x; },
          .parameters = 1,
          .figures =
              [](std::span<const Sample> samples) {
                std::vector<double> factors;
                for (const Sample& s : samples) factors.push_back(s.y / s.x);
                return std::optional(std::vector{median(factors)});
              }};
}

TEST(Median, OfOddAndEvenNumbers) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
}

TEST(Median, OfEachX) {
  const std::vector<Sample> m = medians(std::vector<Sample>{{2, 5}, {1, 1}, {2, 7}, {1, 9}, {1, 2}});
  ASSERT_EQ(m.size(), 2u);
  EXPECT_EQ(m[0].x, 1);
  EXPECT_EQ(m[0].y, 2);
  EXPECT_EQ(m[1].y, 6);
}

// A group for 0, and 1 to 1000 in groups that double in width.
TEST(Grouped, ManyXBecomeFew) {
  std::vector<Sample> samples = {{0, 5}};
  for (int i = 1; i <= 1024; ++i) samples.push_back({static_cast<double>(i), 2.0 * i});
  const std::vector<Sample> few = medians(grouped(samples, 11));
  ASSERT_EQ(few.size(), 11u);
  EXPECT_EQ(few[0].x, 0);
  EXPECT_EQ(few[0].y, 5);
  for (size_t i = 1; i < few.size(); ++i) EXPECT_EQ(few[i].y, 2 * few[i].x);
  EXPECT_EQ(grouped(samples, 2000).size(), samples.size());
  EXPECT_EQ(medians(grouped(samples, 2000)).size(), samples.size());
}

TEST(Bootstrap, TheSameSamplesGiveTheSameInterval) {
  const std::vector<Sample> samples = {{1, 1.1}, {2, 1.9}, {3, 3.2}, {4, 3.9}, {5, 5}};
  const std::vector<Interval> a = bootstrap(samples, factor(1)), b = bootstrap(samples, factor(1));
  ASSERT_EQ(a.size(), 1u);
  EXPECT_EQ(a[0].low, b[0].low);
  EXPECT_EQ(a[0].high, b[0].high);
  EXPECT_LT(a[0].low, 1);
  EXPECT_GT(a[0].high, 1);
}

TEST(Bootstrap, WithoutErrorsTheIntervalIsAPoint) {
  const std::vector<Interval> interval = bootstrap(std::vector<Sample>{{1, 2}, {2, 4}, {3, 6}}, factor(2));
  ASSERT_EQ(interval.size(), 1u);
  EXPECT_NEAR(interval[0].low, 2, 1e-12);
  EXPECT_NEAR(interval[0].high, 2, 1e-12);
}

TEST(Bootstrap, NothingIsSaidOfAsManySamplesAsFigures) {
  EXPECT_TRUE(bootstrap(std::vector<Sample>{{1, 2}}, factor(2)).empty());
  EXPECT_FALSE(bootstrap(std::vector<Sample>{{1, 2}, {1, 2.1}}, factor(2)).empty());
}

TEST(Bootstrap, NothingIsSaidWhereMostRoundsAllowNoFit) {
  BootstrapOf never = factor(1);
  never.figures = [](std::span<const Sample>) { return std::optional<std::vector<double>>(); };
  EXPECT_TRUE(bootstrap(std::vector<Sample>{{1, 2}, {1, 2.1}}, never).empty());
}

// The median of 1, 2, ... 99: the interval is that of order statistics, 99/2 -+ 1.96 sqrt(99)/2, from the 40th to the
// 60th value (H. A. David, "Order Statistics", 7.1).
TEST(Bootstrap, TheIntervalOfAMedianIsThatOfOrderStatistics) {
  std::vector<double> values;
  for (int i = 1; i <= 99; ++i) values.push_back(i);
  const std::optional<Interval> interval = interval_of_median(values);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 40, 1.5);
  EXPECT_NEAR(interval->high, 60, 1.5);
  EXPECT_FALSE(interval_of_median(std::vector<double>{1}));
}

}  // namespace
}  // namespace strata::calibration
