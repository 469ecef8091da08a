// SPDX-License-Identifier: LGPL-2.1-only
// The search that abandons choices, against one that times them all; candidates; decisions.
#include "collectives/tuning/fastest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "collectives/schedules/open_mpi.h"
#include "collectives/tuning/candidates.h"
#include "collectives/tuning/decision.h"

namespace strata::collectives {
namespace {

std::vector<Choice> numbered(int count) {
  std::vector<Choice> choices;
  for (int i = 1; i <= count; ++i) choices.push_back({.algorithm = i});
  return choices;
}

// Choice i takes seconds[i - 1], and least[i - 1] at least; a negative number: it has too many steps.
Timer by_table(const std::vector<double>& seconds, const std::vector<double>& least = {}) {
  const auto from = [](const std::vector<double>& seconds) {
    return [seconds](const Choice& choice, double until_s) {
      const double s = seconds[choice.algorithm - 1];
      if (s < 0) return Attempt{.end = Attempt::End::kTooLong};
      return s > until_s ? Attempt{.end = Attempt::End::kSlower} : Attempt{.seconds = s};
    };
  };
  return {.time = from(seconds), .at_least = from(least.empty() ? seconds : least)};
}

// The slow, obvious way: the library's own, unless another is faster, and then the first of the fastest.
Choice obvious(const std::vector<double>& seconds, int own) {
  int best = seconds[own - 1] < 0 ? 0 : own;
  for (int i = 1; i <= static_cast<int>(seconds.size()); ++i) {
    if (seconds[i - 1] >= 0 && (best == 0 || seconds[i - 1] < seconds[best - 1])) best = i;
  }
  return {.algorithm = best};
}

TEST(Fastest, IsThatOfAllChoicesWhateverIsTriedFirst) {
  constexpr unsigned kSeed = 1;
  std::mt19937 engine(kSeed);
  for (int i = 0; i < 20'000; ++i) {
    const int count = 1 + static_cast<int>(engine() % 6);
    std::vector<double> seconds, least;
    for (int c = 0; c < count; ++c) {
      seconds.push_back(static_cast<double>(engine() % 5) - 1);  // many are the same
      least.push_back(seconds.back() < 0 ? -1 : seconds.back() * static_cast<double>(engine() % 3) / 2);
    }
    const std::vector<Choice> choices = numbered(count);
    const Choice& own = choices[engine() % count];
    const Choice& first = choices[engine() % count];
    const CellTimes t = fastest({}, own, choices, engine() % 2 == 0 ? &first : nullptr, by_table(seconds, least));
    const Choice best = obvious(seconds, own.algorithm);
    ASSERT_EQ(t.best_s.has_value(), best.algorithm != 0);
    if (!t.best_s) continue;
    EXPECT_EQ(t.best, best) << "seed " << kSeed << ", case " << i;
    EXPECT_EQ(*t.best_s, seconds[best.algorithm - 1]);
    EXPECT_EQ(t.timed + t.slower + static_cast<int>(t.too_long.size()), count);
  }
}

TEST(Fastest, SaysWhatItGains) {
  const CellTimes t = fastest({}, Choice{.algorithm = 1}, numbered(3), nullptr, by_table({8, 2, -1}));
  EXPECT_EQ(t.best.algorithm, 2);
  EXPECT_DOUBLE_EQ(t.gain(), 0.75);
  EXPECT_EQ(t.too_long, std::vector<Choice>{{.algorithm = 3}});
}

TEST(Decision, KeepsTheLibrarysOwnUnlessTheGainIsSure) {
  CellTimes t = fastest({}, Choice{.algorithm = 1}, numbered(2), nullptr, by_table({1.0, 0.96}));
  EXPECT_EQ(decide(t, t.own_s, 0.05).algorithm, 0);
  EXPECT_EQ(decide(t, t.own_s, 0.03).algorithm, 2);
  t.least_gain = -0.01;  // an error bar decides alone
  EXPECT_EQ(decide(t, t.own_s, 0.03).algorithm, 0);
  t.least_gain = 0.01;
  EXPECT_EQ(decide(t, t.own_s, 0.05).algorithm, 2);
  // Rules of its parts made the library's own choice slower than it is without the file.
  t.least_gain.reset();
  EXPECT_EQ(decide(t, 0.97, 0.05).algorithm, 2);
  t.own_s.reset();  // either may be faster
  EXPECT_EQ(decide(t, {}, 0).algorithm, 0);
}

TEST(Candidates, HaveSegmentsAndChainsWhereTheAlgorithmHasThem) {
  const auto count = [](const Cell& cell, int number) {
    const std::vector<Choice> all = candidates(call_of(cell, ""), cell, kOpenMpi41);
    return std::count_if(all.begin(), all.end(), [&](const Choice& c) { return c.algorithm == number; });
  };
  EXPECT_EQ(count({Operation::kBcast, 16, 1 << 20}, 1), 1);             // linear
  EXPECT_EQ(count({Operation::kBcast, 16, 1 << 20}, 2), 3 * 4);         // chain
  EXPECT_EQ(count({Operation::kBcast, 16, 1 << 20}, 6), 4);             // binomial: whole, or in up to 128 segments
  EXPECT_EQ(count({Operation::kBcast, 16, 1 << 10}, 6), 1);             // a segment of 1 KiB is the whole
  EXPECT_EQ(count({Operation::kAllreduce, 16, 16 << 10}, 5), 0);        // a block has 1 KiB
  EXPECT_EQ(count({Operation::kAllreduce, 16, (16 << 10) + 4}, 5), 1);  // segmented ring
  EXPECT_EQ(count({Operation::kAllgather, 16, 8}, 6), 0);               // for two ranks only
  EXPECT_EQ(count({Operation::kAllgather, 2, 8}, 6), 1);
}

TEST(Candidates, KnowWhatConsistsOfOtherCollectives) {
  const Chooser chooser(kOpenMpi41);
  const auto consists = [](Operation o, int number) { return find_open_mpi(o, number)->has_parts; };
  for (const OpenMpiAlgorithm& a : open_mpi_algorithms()) {
    bool has_part = false;
    Settings settings = chooser.of_number(a.operation, a.number).settings;
    settings.part = [&](const Collective&, int, Steps&) { has_part = true; };
    Steps steps;
    a.generate(call_of({a.operation, a.only_two_ranks ? 2 : 8, 1024}, ""), settings, 0, steps);
    EXPECT_EQ(a.has_parts, has_part) << name_of(a.operation) << " " << a.number;
  }
  EXPECT_TRUE(consists(Operation::kAllreduce, 2));
  EXPECT_TRUE(consists(Operation::kAllgather, 1));
  EXPECT_TRUE(consists(Operation::kReduceScatterBlock, 1));
  EXPECT_FALSE(consists(Operation::kAllreduce, 3));
  EXPECT_FALSE(consists(Operation::kBcast, 8));
}

}  // namespace
}  // namespace strata::collectives
