// SPDX-License-Identifier: LGPL-2.1-only
// Welch's t-test, compared with tables, a published example, a slow integral of Student's density, and samples with
// known means.
#include "scenarios/programs/welch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>
#include <vector>

namespace strata::programs {
namespace {

// Values with mean 0 and n - 1 degrees of freedom, to be compared with a sample of negligible variance.
std::vector<double> alternating(int n, double size) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(i % 2 == 0 ? size : -size);
  return values;
}

// P(-t < T < t) with `degrees` of freedom: Simpson's rule over Student's density.
double probability(double t, double degrees) {
  const double scale =
      std::exp(std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2)) / std::sqrt(degrees * std::numbers::pi);
  const auto density = [&](double x) { return scale * std::pow(1 + x * x / degrees, -(degrees + 1) / 2); };
  const int steps = 200000;
  const double h = t / steps;
  double sum = density(0) + density(t);
  for (int i = 1; i < steps; ++i) sum += (i % 2 == 0 ? 2 : 4) * density(i * h);
  return 2 * sum * h / 3;
}

// Standard tables of t, two-sided 95 %. If only the sample of n values varies, there are n - 1 degrees of freedom.
TEST(Welch, HasTheQuantilesOfTables) {
  const std::vector<std::pair<int, double>> table = {{1, 12.706}, {3, 3.182}, {9, 2.262}, {29, 2.045}, {119, 1.980}};
  for (const auto& [degrees, t] : table) {
    const std::vector<double> a = alternating(degrees + 1, 1), b = {0, 0};
    const MeanDifference d = welch(a, b);
    const double error = std::sqrt(1.0 / degrees);  // s^2 = n / (n - 1), so the standard error is 1 / sqrt(n - 1)
    EXPECT_NEAR(d.degrees, degrees, 1e-9);
    EXPECT_NEAR(d.half_width / error, t, 0.0006) << degrees;
    EXPECT_EQ(d.value, 0);
    EXPECT_FALSE(d.significant());
  }
}

TEST(Welch, HasTheConfidenceThatItIsAskedFor) {
  for (const double confidence : {0.5, 0.9, 0.95, 0.99}) {
    for (const int n : {2, 5, 40}) {
      const std::vector<double> a = alternating(2 * n, 3), b = alternating(n, 1);
      const MeanDifference d = welch(a, b, confidence);
      const double variance = 9.0 / (2 * n - 1) + (n % 2 == 0 ? 1.0 : (1 - 1.0 / (n * n))) / (n - 1);
      EXPECT_NEAR(probability(d.half_width / std::sqrt(variance), d.degrees), confidence, 1e-6) << n;
    }
  }
}

// The samples 1 to 5, and twice these: means 3 and 6, variances 2.5 and 10. So e^2 = 2.5, with 2.5^2 / (0.5^2 / 4 + 2^2
// / 4) = 100 / 17 degrees of freedom.
TEST(Welch, OfAnExampleByHand) {
  const MeanDifference d = welch({2, 4, 6, 8, 10}, {1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(d.value, 3);
  EXPECT_NEAR(d.degrees, 100.0 / 17, 1e-12);
  EXPECT_NEAR(probability(d.half_width / std::sqrt(2.5), 100.0 / 17), 0.95, 1e-6);
  EXPECT_FALSE(d.significant());
}

// 95 % of the intervals contain the true difference of the means of two normal distributions: in 4,000 trials, within
// four standard deviations.
TEST(Welch, CoversTheTruth) {
  std::mt19937_64 engine(1);
  const auto uniform = [&] { return (static_cast<double>(engine() >> 11) + 0.5) * 0x1p-53; };
  const auto normal = [&](double mean, double deviation) {
    return mean + deviation * std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  };
  int covered = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<double> a, b;
    for (int i = 0; i < 12; ++i) a.push_back(normal(5, 3));
    for (int i = 0; i < 20; ++i) b.push_back(normal(4, 1));
    const MeanDifference d = welch(a, b);
    if (std::abs(d.value - 1) <= d.half_width) ++covered;
  }
  EXPECT_NEAR(covered / 4000.0, 0.95, 0.014);
}

TEST(Welch, OfConstantsIsExact) {
  const MeanDifference d = welch({2, 2, 2}, {1, 1});
  EXPECT_EQ(d.value, 1);
  EXPECT_EQ(d.half_width, 0);
  EXPECT_TRUE(d.significant());
  EXPECT_FALSE(welch({2, 2}, {2, 2}).significant());
}

TEST(Welch, RefusesTooFewValues) {
  EXPECT_THROW(welch({1}, {1, 2}), std::invalid_argument);
  EXPECT_THROW(welch({1, 2}, {}), std::invalid_argument);
  for (const double confidence : {0.0, 1.0, -1.0, std::nan("")}) {
    EXPECT_THROW(welch({1, 2}, {1, 3}, confidence), std::invalid_argument);
  }
}

}  // namespace
}  // namespace strata::programs
