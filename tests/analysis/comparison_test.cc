// SPDX-License-Identifier: LGPL-2.1-only
// Verdicts on quantities, compared with the rules implemented again in integers, for all combinations of a few values.
#include "analysis/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace strata::analysis {
namespace {

Quantity number(double value, Better better = Better::kLess, const std::string& metric = "time",
                const std::string& at = "") {
  return {.metric = metric, .at = at, .unit = "s", .better = better, .value = value};
}

Quantity measured(std::vector<double> repeats, Better better = Better::kLess) {
  Quantity q = number(median_of(repeats), better);
  q.repeats = std::move(repeats);
  return q;
}

Difference one(const Quantity& base, const Quantity& now, const Rules& rules = {}) {
  const std::vector<Difference> all = compare_quantities({base}, {now}, rules);
  EXPECT_EQ(all.size(), 1u);
  return all.front();
}

// Values and tolerances are in millionths, so nothing is rounded.
Change obvious(long base, long now, Better better, long tolerance) {
  if (base == now) return Change::kEqual;
  if (std::abs(now - base) * 1'000'000 <= tolerance * std::abs(base)) return Change::kWithin;
  if (better == Better::kSame) return Change::kChanged;
  return (now > base) == (better == Better::kLess) ? Change::kWorse : Change::kBetter;
}

TEST(Comparison, AllVerdictsOnNumbers) {
  const std::vector<long> values = {0,         1,          -1,         999'000,   998'999,   999'001,
                                    1'000'000, 1'000'001,  1'001'000,  1'001'001, 1'000'999, 1'020'000,
                                    980'000,   -1'000'000, -1'001'001, 2'000'000};
  int cases = 0;
  for (const long a : values) {
    for (const long b : values) {
      for (const Better better : {Better::kLess, Better::kMore, Better::kSame}) {
        for (const long tolerance : {0L, 1'000L, 20'000L, 1'000'000L}) {
          const Quantity base = number(static_cast<double>(a) / 1e6, better),
                         now = number(static_cast<double>(b) / 1e6, better);
          const Rules rules{.tolerance = static_cast<double>(tolerance) / 1e6};
          const Difference d = one(base, now, rules);
          ASSERT_EQ(d.change, obvious(a, b, better, tolerance)) << a << " " << b << " " << tolerance;
          ASSERT_EQ(d.relative.has_value(), a != 0);
          ASSERT_EQ(fails(d, rules), d.change == Change::kWorse || d.change == Change::kChanged);
          ++cases;
        }
      }
    }
  }
  EXPECT_EQ(cases, 16 * 16 * 3 * 4);
}

TEST(Comparison, ABaseOfZeroHasNoRelativeChange) {
  const Difference d = one(number(0), number(1e-30), {.tolerance = 10});
  EXPECT_EQ(d.change, Change::kWorse);
  EXPECT_FALSE(d.relative.has_value());
  EXPECT_DOUBLE_EQ(d.absolute.value(), 1e-30);
  EXPECT_EQ(one(number(0), number(0)).change, Change::kEqual);
  EXPECT_EQ(one(number(0), number(-0.0)).change, Change::kEqual);
}

TEST(Comparison, ExtremesOfDoubles) {
  const double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(one(number(-most), number(most)).change, Change::kWorse) << "the difference overflows";
  EXPECT_FALSE(one(number(-most), number(most)).absolute.has_value());
  EXPECT_EQ(one(number(least), number(most)).change, Change::kWorse);
  EXPECT_EQ(one(number(most), number(least)).change, Change::kBetter);
  for (const double bad :
       {std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(one(number(1), number(bad)), std::invalid_argument);
    EXPECT_THROW(one(number(bad), number(1)), std::invalid_argument);
    Quantity q = measured({1, 2});
    q.repeats[1] = bad;
    EXPECT_THROW(one(q, q), std::invalid_argument);
  }
}

TEST(Comparison, TextsUnitsAndCounts) {
  Quantity holds{.metric = "claim", .at = "best", .unit = "", .value = "holds"}, violated = holds;
  violated.value = "violated";
  EXPECT_EQ(one(holds, holds).change, Change::kEqual);
  EXPECT_EQ(one(holds, violated).change, Change::kChanged);
  EXPECT_EQ(one(violated, holds).change, Change::kChanged) << "any change of a verdict";
  Quantity ms = number(1);
  ms.unit = "ms";
  EXPECT_EQ(one(number(1), ms).change, Change::kChanged);
  EXPECT_FALSE(one(number(1), ms).relative.has_value());
  Quantity count = number(1e6, Better::kSame), more = count;
  more.value = 1e6 + 1;
  EXPECT_EQ(one(count, more).change, Change::kWithin);
  count.exact = true;
  EXPECT_EQ(one(count, more).change, Change::kChanged);
  EXPECT_EQ(one(count, more, {.metrics = {{"time", {.tolerance = 0.01}}}}).change, Change::kWithin);
}

TEST(Comparison, ARuleOfAMetric) {
  const Rules rules{.metrics = {{"fom", {.tolerance = 0.05, .better = Better::kMore}}}};
  const auto fom = [](double value) {
    Quantity q = number(value, Better::kSame, "fom");
    q.judged = false;
    return q;
  };
  EXPECT_EQ(one(fom(100), fom(96), rules).change, Change::kWithin);
  EXPECT_EQ(one(fom(100), fom(94), rules).change, Change::kWorse);
  EXPECT_EQ(one(fom(100), fom(106), rules).change, Change::kBetter);
  EXPECT_TRUE(fails(one(fom(100), fom(94), rules), rules)) << "named, so judged";
  EXPECT_FALSE(fails(one(fom(100), fom(94)), {})) << "else only shown";
  EXPECT_EQ(one(number(100), number(102), rules).change, Change::kWorse) << "of others the common tolerance";
}

TEST(Comparison, DirectionByUnit) {
  for (const char* unit : {"s", "us", "B", "MB"}) EXPECT_EQ(better_of(unit), Better::kLess) << unit;
  for (const char* unit : {"B/s", "GB/s", "flop/s", "z/s"}) EXPECT_EQ(better_of(unit), Better::kMore) << unit;
  for (const char* unit : {"", "1", "/s", "zones", "ss"}) EXPECT_EQ(better_of(unit), Better::kSame) << unit;
}

TEST(Comparison, WhatFails) {
  for (const auto& [change, name] : kChangeWords) {
    for (const bool judged : {true, false}) {
      for (const bool both : {true, false}) {
        for (const bool allow : {true, false}) {
          Difference d;
          d.change = change;
          d.judged = judged;
          const bool worse = change == Change::kWorse || change == Change::kChanged;
          const bool missing = change == Change::kMissing && !allow, better = change == Change::kBetter && both;
          const Rules rules{.both = both, .allow_missing = allow};
          EXPECT_EQ(fails(d, rules), judged && (worse || missing || better)) << name;
          const Judgement verdict = judge({d}, rules);
          EXPECT_EQ(verdict, !judged                        ? Judgement::kEqual
                             : worse || missing || better   ? Judgement::kFailed
                             : change == Change::kUndecided ? Judgement::kUndecided
                             : change == Change::kEqual     ? Judgement::kEqual
                                                            : Judgement::kPassed)
              << name;
        }
      }
    }
  }
  EXPECT_EQ(judge({}, {}), Judgement::kEqual);
}

TEST(Comparison, FailuresOutweighWhatIsUndecided) {
  Difference undecided, worse, within;
  undecided.change = Change::kUndecided;
  worse.change = Change::kWorse;
  within.change = Change::kWithin;
  EXPECT_EQ(judge({undecided, worse}, {}), Judgement::kFailed);
  EXPECT_EQ(judge({within, undecided}, {}), Judgement::kUndecided);
}

TEST(Comparison, TheWorstComesFirst) {
  const std::vector<Quantity> base = {
      number(1, Better::kLess, "m", "a"), number(1, Better::kLess, "m", "b"), number(1, Better::kLess, "m", "c"),
      number(1, Better::kMore, "m", "d"), number(1, Better::kLess, "m", "e"), number(0, Better::kLess, "m", "f"),
      number(1, Better::kLess, "m", "g"), number(1, Better::kLess, "m", "h"), number(9, Better::kLess, "m", "gone")};
  std::vector<Quantity> now = {number(1, Better::kLess, "m", "a"),      number(1.02, Better::kLess, "m", "b"),
                               number(1.5, Better::kLess, "m", "c"),    number(0.7, Better::kMore, "m", "d"),
                               number(0.5, Better::kLess, "m", "e"),    number(1, Better::kLess, "m", "f"),
                               number(1.0001, Better::kLess, "m", "g"), number(5, Better::kLess, "m", "h"),
                               number(3, Better::kLess, "m", "more")};
  now[7].judged = false;
  std::vector<Quantity> shown_only = base;
  shown_only[7].judged = false;
  std::vector<Difference> all = compare_quantities(shown_only, now, {});
  sort_worst_first(all, {});
  std::string order;
  for (const Difference& d : all) order += (d.base ? base[*d.base].at : now[*d.now].at) + " ";
  EXPECT_EQ(order, "f gone c d b e more g a h ");
}

TEST(Comparison, RandomListsArePairedAsBySearch) {
  std::mt19937 random(42);
  for (int round = 0; round < 300; ++round) {
    const auto list = [&] {
      std::vector<Quantity> all(random() % 12);
      for (Quantity& q : all) {
        q = number(static_cast<double>(random() % 3), Better::kLess, random() % 2 == 0 ? "time" : "bytes",
                   std::string(1, static_cast<char>('a' + random() % 4)));
      }
      return all;
    };
    const std::vector<Quantity> base = list(), now = list();
    const std::vector<Difference> found = compare_quantities(base, now, {});
    // Slow and obvious: the partner of each quantity is the first free one with the same name.
    std::vector<bool> taken(now.size());
    size_t at = 0;
    for (size_t i = 0; i < base.size(); ++i, ++at) {
      std::optional<size_t> partner;
      for (size_t j = 0; j < now.size() && !partner; ++j) {
        if (!taken[j] && now[j].metric == base[i].metric && now[j].at == base[i].at) partner = j;
      }
      if (partner) taken[*partner] = true;
      ASSERT_EQ(found[at].base, i);
      ASSERT_EQ(found[at].now, partner);
      ASSERT_EQ(found[at].change == Change::kMissing, !partner);
    }
    for (size_t j = 0; j < now.size(); ++j) {
      if (taken[j]) continue;
      ASSERT_EQ(found[at].now, j);
      ASSERT_EQ(found[at++].change, Change::kNew);
    }
    ASSERT_EQ(at, found.size());
  }
}

TEST(Comparison, AHundredThousandQuantities) {
  std::vector<Quantity> base, now;
  for (int i = 0; i < 100'000; ++i) {
    base.push_back(number(1 + i, Better::kLess, "time", "elements = " + std::to_string(i)));
    now.push_back(
        number(i == 77'777 ? 2.0 * (1 + i) : 1 + i, Better::kLess, "time", "elements = " + std::to_string(i)));
  }
  std::reverse(now.begin(), now.end());
  std::vector<Difference> all = compare_quantities(base, now, {});
  sort_worst_first(all, {});
  EXPECT_EQ(all.front().base, 77'777u);
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const Difference& d) { return d.change == Change::kEqual; }),
            99'999);
}

// --- measured values ---

const std::vector<double> kFive = {1.00, 1.01, 1.02, 1.03, 1.04};

TEST(Comparison, RepeatsAreTested) {
  const auto times = [](double factor) {
    std::vector<double> all = kFive;
    for (double& v : all) v *= factor;
    return measured(all);
  };
  EXPECT_EQ(one(times(1), times(1)).change, Change::kEqual);
  EXPECT_EQ(one(times(1), times(1.01)).change, Change::kWithin) << "1 % is within the noise";
  const Difference slow = one(times(1), times(1.1));
  EXPECT_EQ(slow.change, Change::kWorse);
  EXPECT_EQ(slow.test.value().u, 25);
  EXPECT_NEAR(slow.test->p, 1 / 252., 1e-12);
  EXPECT_EQ(one(times(1.1), times(1)).change, Change::kBetter);
  EXPECT_EQ(one(times(1), times(1.1), {.tolerance = 0.2}).change, Change::kWithin) << "slower, within the tolerance";
  EXPECT_EQ(one(times(1), times(1.3), {.tolerance = 0.2}).change, Change::kWorse);
  EXPECT_EQ(one(times(1), times(0.7), {.tolerance = 0.2}).change, Change::kBetter);
}

TEST(Comparison, OneOutlierDecidesNothing) {
  std::vector<double> outlier = kFive;
  outlier[2] = 100;
  EXPECT_EQ(one(measured(kFive), measured(outlier)).change, Change::kWithin);
}

TEST(Comparison, TooFewRepeatsAreUndecided) {
  EXPECT_EQ(repeats_needed(0.01), 5);
  EXPECT_EQ(repeats_needed(0.05), 3);
  EXPECT_EQ(repeats_needed(0.005), 5);
  EXPECT_EQ(repeats_needed(0.001), 7);
  const Quantity four = measured({1, 1, 1, 1}), slow = measured({9, 9, 9, 9}),
                 many = measured(std::vector<double>(9, 9.0));
  EXPECT_EQ(one(four, slow).change, Change::kUndecided) << "1 in 70 is more than 0.01";
  EXPECT_EQ(one(four, slow, {.level = 0.02}).change, Change::kWorse);
  EXPECT_EQ(one(four, many).change, Change::kWorse) << "1 in 715";
  EXPECT_EQ(one(number(1), slow).change, Change::kUndecided);
  EXPECT_EQ(one(slow, slow).change, Change::kEqual) << "the same result";
}

TEST(Comparison, MeasuredValuesThatShallNotChange) {
  const Quantity five = measured({1, 1.1, 1.2, 1.3, 1.4}, Better::kSame),
                 other = measured({2, 2.1, 2.2, 2.3, 2.4}, Better::kSame);
  EXPECT_EQ(one(five, other).change, Change::kChanged) << "1 in 252 is less than half of 0.01";
  EXPECT_EQ(one(other, five).change, Change::kChanged);
  EXPECT_EQ(one(five, other, {.level = 0.005}).change, Change::kUndecided) << "and more than half of 0.005";
}

TEST(Comparison, MeasuredRatesAreWorseIfSmaller) {
  const Quantity high = measured({5, 5.1, 5.2, 5.3, 5.4}, Better::kMore),
                 low = measured({4, 4.1, 4.2, 4.3, 4.4}, Better::kMore);
  EXPECT_EQ(one(high, low).change, Change::kWorse);
  EXPECT_EQ(one(low, high).change, Change::kBetter);
  EXPECT_EQ(one(high, low, {.tolerance = 0.5}).change, Change::kWithin);
}

}  // namespace
}  // namespace strata::analysis
