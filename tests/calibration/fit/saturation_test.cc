// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/fit/saturation.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "calibration/fit/bootstrap.h"
#include "tests/calibration/fit/noise.h"

namespace strata::calibration {
namespace {

TEST(Saturation, TheExampleOfTheHeader) {
  const Saturation s = fit_saturation(std::vector<Sample>{{1, 5e9}, {2, 10e9}, {4, 20e9}, {8, 25e9}});
  EXPECT_TRUE(s.saturated);
  EXPECT_NEAR(s.one, 5e9, 1);
  EXPECT_NEAR(s.all, 25e9, 1);
  EXPECT_EQ(s.most, 8);
  EXPECT_EQ(rate_of(s, 3), 3 * s.one);
  EXPECT_EQ(rate_of(s, 6), s.all);
}

TEST(Saturation, RatesThatOnlyGrowHaveNotReachedTheMost) {
  const Saturation s = fit_saturation(std::vector<Sample>{{1, 5e9}, {2, 10.02e9}, {4, 19.97e9}});
  EXPECT_FALSE(s.saturated);
  EXPECT_NEAR(s.one, 5e9, 0.01e9);
  EXPECT_NEAR(s.all, 20e9, 0.05e9);
  EXPECT_EQ(rate_of(s, 100), 100 * s.one);
}

TEST(Saturation, OneRateIsWhatOneGets) {
  const Saturation s = fit_saturation(std::vector<Sample>{{1, 5e9}});
  EXPECT_FALSE(s.saturated);
  EXPECT_EQ(s.one, 5e9);
  EXPECT_EQ(s.all, 5e9);
}

TEST(Saturation, FullFromOnePairOn) {
  const Saturation s = fit_saturation(std::vector<Sample>{{1, 10e9}, {2, 10e9}, {4, 10.01e9}});
  EXPECT_TRUE(s.saturated);
  EXPECT_NEAR(s.all, 10e9, 0.01e9);
}

TEST(Saturation, Refuses) {
  EXPECT_THROW(fit_saturation({}), std::invalid_argument);
  EXPECT_THROW(fit_saturation(std::vector<Sample>{{1, 0}}), std::invalid_argument);
  EXPECT_THROW(fit_saturation(std::vector<Sample>{{0, 1e9}}), std::invalid_argument);
}

// No point on a grid of b and C has a smaller sum of relative squares than the fit. The noise is large enough that
// Huber's bound exceeds every residual.
TEST(Saturation, FindsWhatAGridFinds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Noise noise(seed);
    std::vector<Sample> samples;
    const double knee = 1.5 + 5 * noise.uniform();
    for (const double k : {1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0})
      samples.push_back({k, 1e9 * std::min(k, knee) * (1 + 0.02 * (2 * noise.uniform() - 1))});
    const Saturation s = fit_saturation(samples);
    ASSERT_TRUE(s.saturated);
    EXPECT_NEAR(s.one, 1e9, 0.02e9);
    EXPECT_NEAR(s.all, knee * 1e9, 0.02 * knee * 1e9);
    double least = std::numeric_limits<double>::infinity(), best_one = 0, best_all = 0;
    for (double one = 0.97e9; one <= 1.03e9; one += 0.0005e9) {
      for (double all = 0.97 * knee; all <= 1.03 * knee; all += 0.0005 * knee) {
        double sum = 0;
        for (const Sample& p : samples) {
          const double r = 1 - std::min(p.x * one, all * 1e9) / p.y;
          sum += r * r;
        }
        if (sum < least) {
          least = sum;
          best_one = one;
          best_all = all * 1e9;
        }
      }
    }
    EXPECT_NEAR(s.one, best_one, 0.006 * best_one);  // Huber's bound limits some residuals of uniform noise
    EXPECT_NEAR(s.all, best_all, 0.006 * best_all);
  }
}

TEST(Saturation, IntervalsHoldTheFiguresThatMadeTheRates) {
  int held = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Noise noise(seed);
    std::vector<Sample> samples;
    for (double k = 1; k <= 12; ++k) samples.push_back({k, std::min(k * 4e9, 21e9) * (1 + 0.02 * noise.normal())});
    const Saturation s = fit_saturation(samples);
    ASSERT_TRUE(s.saturated);
    const std::vector<Interval> intervals = bootstrap(samples,
                                                      {.fitted = [&](double k) { return rate_of(s, k); },
                                                       .parameters = 2,
                                                       .figures =
                                                           [](std::span<const Sample> again) {
                                                             const Saturation fit = fit_saturation(again);
                                                             return std::optional(std::vector{fit.one, fit.all});
                                                           }},
                                                      300);
    ASSERT_EQ(intervals.size(), 2u);
    held += intervals[0].low <= 4e9 && 4e9 <= intervals[0].high ? 1 : 0;
    held += intervals[1].low <= 21e9 && 21e9 <= intervals[1].high ? 1 : 0;
    all += 2;
  }
  EXPECT_GE(held, 0.88 * all) << held << " of " << all;
}

}  // namespace
}  // namespace strata::calibration
