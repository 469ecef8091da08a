// SPDX-License-Identifier: LGPL-2.1-only
// The Mann-Whitney test, compared with its definition (enumerating all choices) and with published tables.
#include "analysis/rank_test.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace strata::analysis {
namespace {

using Times = std::vector<double>;

double u_of(const Times& base, const Times& now) {
  double u = 0;
  for (const double a : base) {
    for (const double b : now) u += b > a ? 1 : b == a ? 0.5 : 0;
  }
  return u;
}

// Slow and obvious: tries every choice of which values are the new ones.
double share_as_large(const Times& base, const Times& now) {
  Times all = base;
  all.insert(all.end(), now.begin(), now.end());
  const double observed = u_of(base, now);
  double choices = 0, as_large = 0;
  for (unsigned chosen = 0; chosen < 1u << all.size(); ++chosen) {
    if (static_cast<size_t>(std::popcount(chosen)) != now.size()) continue;
    Times left, right;
    for (size_t i = 0; i < all.size(); ++i) ((chosen >> i & 1) != 0 ? right : left).push_back(all[i]);
    choices += 1;
    as_large += u_of(left, right) >= observed ? 1 : 0;
  }
  return as_large / choices;
}

// Values without ties whose U is `u`: each new value exceeds as many of the base values 1, 2, ..., m as the remaining
// sum allows.
std::pair<Times, Times> with_u(int n, int m, int u) {
  Times base, now;
  for (int i = 1; i <= m; ++i) base.push_back(i);
  for (int i = 0; i < n; ++i) {
    const int below = std::min(m, u);
    u -= below;
    now.push_back(below + 0.5 + 0.001 * i);
  }
  return {base, now};
}

// The probability that U is at most `u`. By symmetry it equals the probability that U is at least n m - u.
double p_at_most(int n, int m, int u) {
  const auto [base, now] = with_u(n, m, n * m - u);
  return test_larger(base, now).p;
}

TEST(RankTest, AllSmallInputsWithAndWithoutTies) {
  int inputs = 0;
  for (size_t total = 2; total <= 7; ++total) {
    for (size_t n = 1; n < total; ++n) {
      const int values = total <= 5 ? 4 : 3;
      for (int code = 0; code < std::pow(values, total); ++code) {
        Times all;
        for (int rest = code; all.size() < total; rest /= values) all.push_back(rest % values);
        const Times now(all.begin(), all.begin() + static_cast<long>(n)),
            base(all.begin() + static_cast<long>(n), all.end());
        const RankTest test = test_larger(base, now);
        ASSERT_EQ(test.u, u_of(base, now));
        ASSERT_NEAR(test.p, share_as_large(base, now), 1e-12);
        ++inputs;
      }
    }
  }
  EXPECT_EQ(inputs, 16 + 2 * 64 + 3 * 256 + 4 * 1024 + 5 * 729 + 6 * 2187);
}

TEST(RankTest, RandomInputs) {
  std::mt19937 random(20261);
  for (int round = 0; round < 60; ++round) {
    Times base(2 + random() % 5), now(2 + random() % 6);
    for (Times* side : {&base, &now}) {
      for (double& v : *side) v = 1 + static_cast<double>(random() % 1000) * 1e-5;
    }
    ASSERT_NEAR(test_larger(base, now).p, share_as_large(base, now), 1e-12) << "round " << round << ", seed 20261";
  }
}

// Mann and Whitney (1947), Table I: the probability that U is at most 0, 1, 2, ..., with three digits.
TEST(RankTest, MannAndWhitneysTable) {
  const std::vector<double> three = {.050, .100, .200, .350, .500, .650};
  const std::vector<double> four = {.014, .029, .057, .100, .171, .243, .343, .443, .557};
  const std::vector<double> five = {.004, .008, .016, .028, .048, .075, .111, .155, .210, .274, .345, .421, .500, .579};
  for (size_t u = 0; u < three.size(); ++u) EXPECT_NEAR(p_at_most(3, 3, static_cast<int>(u)), three[u], 0.0005 + 1e-9);
  for (size_t u = 0; u < four.size(); ++u) EXPECT_NEAR(p_at_most(4, 4, static_cast<int>(u)), four[u], 0.0005 + 1e-9);
  for (size_t u = 0; u < five.size(); ++u) EXPECT_NEAR(p_at_most(5, 5, static_cast<int>(u)), five[u], 0.0005 + 1e-9);
}

// The largest significant U for n values on each side, from textbook tables.
TEST(RankTest, CriticalValues) {
  struct Row {
    int n, u;
    double level;
  };
  for (const Row& row : std::vector<Row>{{5, 1, 0.01},
                                         {6, 3, 0.01},
                                         {7, 6, 0.01},
                                         {8, 9, 0.01},
                                         {9, 14, 0.01},
                                         {10, 19, 0.01},
                                         {12, 31, 0.01},
                                         {15, 56, 0.01},
                                         {20, 114, 0.01},
                                         {5, 4, 0.05},
                                         {10, 27, 0.05},
                                         {20, 138, 0.05},
                                         {5, 2, 0.025},
                                         {8, 13, 0.025},
                                         {10, 23, 0.025},
                                         {15, 64, 0.025},
                                         {20, 127, 0.025}}) {
    EXPECT_LE(p_at_most(row.n, row.n, row.u), row.level) << row.n;
    EXPECT_GT(p_at_most(row.n, row.n, row.u + 1), row.level) << row.n;
  }
}

TEST(RankTest, BeyondTheExactOnesTheNormalDistributionGoesOn) {
  // 50 and 50 values are computed exactly, 51 and 51 are not. The same shift gives about the same p.
  const auto shifted = [](int n) {
    Times base, now;
    for (int i = 0; i < n; ++i) {
      base.push_back(i);
      now.push_back(i + 8.5);
    }
    return test_larger(base, now).p;
  };
  static_assert(kMostExact == 100);
  EXPECT_NEAR(shifted(51), 0.00394, 0.00002) << "z = (1698 - 1300.5 - 0.5) / 149.4";
  EXPECT_NEAR(shifted(50), 0.0037, 0.0003) << "z = (1639 - 1250 - 0.5) / 145.06";
  const Times same(60, 1.0);
  EXPECT_EQ(test_larger(same, same).p, 1);
}

// For samples of the same distribution, the share of reported differences does not exceed the level.
TEST(RankTest, FalseAlarmsAreAsRareAsTheLevelSays) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> times(0, 0.3);
  int alarms = 0;
  const int rounds = 4000;
  for (int i = 0; i < rounds; ++i) {
    Times base(7), now(7);
    for (Times* side : {&base, &now}) {
      for (double& v : *side) v = times(random);
    }
    alarms += test_larger(base, now).p <= 0.05 ? 1 : 0;
  }
  // 4000 * 0.0487, where 0.0487 is the exact level for 7 and 7 values; four standard deviations are 55.
  EXPECT_LT(alarms, 4000 * 0.05 + 55);
  EXPECT_GT(alarms, 4000 * 0.0485 - 60);
}

TEST(RankTest, Median) {
  EXPECT_EQ(median_of({3, 1, 2}), 2);
  EXPECT_EQ(median_of({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median_of({7}), 7);
}

}  // namespace
}  // namespace strata::analysis
