// SPDX-License-Identifier: LGPL-2.1-only
// The shards of an exploration: together they find the outcomes of all orders, and any number of shards has the same
// sums.
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/messages/explorer/ahead.h"
#include "check/messages/explorer/exploration_shard.h"
#include "tests/check/drawn_application.h"
#include "tests/check/drawn_orders.h"
#include "tests/check/programs/drawn_program.h"

namespace strata::check {
namespace {

constexpr std::size_t kMostSteps = 1000;

void ignore(const SearchCounts&) {}

// The combined results of all shards.
struct Sum {
  long states = 0, transitions = 0, executions = 0;
  std::optional<std::pair<std::size_t, Wrong>> first;  // prefix, and what is wrong there
  std::vector<Step> steps;                             // the steps that lead there
  Outcomes outcomes;
};

Sum explore_shards(const std::vector<Operation>& program, std::size_t least, int of) {
  DrawnApplication laid_out(program);
  const Prefixes prefixes = lay_out_prefixes(laid_out, kMostSteps, least);
  Sum sum;
  for (int number = 1; number <= of; ++number) {
    DrawnApplication application(program);
    const ShardResult result = search_shard(application, prefixes, number, of, true, kMostSteps, ignore);
    sum.states += result.counts.states;
    sum.transitions += result.counts.transitions;
    sum.executions += result.counts.executions;
    if (result.found.wrong != Wrong::kNothing && (!sum.first || result.prefix < sum.first->first)) {
      sum.first = {result.prefix, result.found.wrong};
      sum.steps = result.found.steps;
    }
    for (std::size_t rank = 0; rank < sum.outcomes.of_rank.size(); ++rank) {
      const std::set<unsigned>& more = application.outcomes.of_rank[rank];
      sum.outcomes.of_rank[rank].insert(more.begin(), more.end());
    }
    sum.outcomes.unmatched = sum.outcomes.unmatched || application.outcomes.unmatched;
  }
  return sum;
}

std::string text_of(const std::vector<Step>& steps) {
  std::string text;
  for (const Step& step : steps) text += std::to_string(step.actor) + "/" + std::to_string(step.choice) + " ";
  return text;
}

TEST(Shards, FindTheOutcomesOfAllOrdersAndAddUp) {
  long undivided = 0, divided = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    const std::vector<Operation> program = drawn_program(seed);
    const Outcomes all = outcomes_of(program);
    for (const std::size_t least : {4, 16, 64}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(least) + " prefixes");
      const Sum one = explore_shards(program, least, 1);
      EXPECT_EQ(one.first.has_value(), all.deadlock);
      EXPECT_TRUE(all.deadlock || one.outcomes == all);
      for (const int of : {2, 3, 50}) {
        const Sum several = explore_shards(program, least, of);
        EXPECT_EQ(several.first, one.first) << of;
        EXPECT_EQ(text_of(several.steps), text_of(one.steps)) << of;
        if (all.deadlock) continue;  // each shard stops at its first deadlock
        EXPECT_EQ(several.states, one.states) << of;
        EXPECT_EQ(several.transitions, one.transitions) << of;
        EXPECT_EQ(several.executions, one.executions) << of;
        EXPECT_TRUE(several.outcomes == all) << of;
      }
      if (all.deadlock) continue;
      DrawnApplication alone(program);
      Search search(alone, true, kMostSteps, ignore);
      search.run();
      undivided += search.counts().executions;
      divided += one.executions;
    }
  }
  std::printf("%ld executions undivided, %ld in shards\n", undivided, divided);
  EXPECT_LT(divided, 2 * undivided);
}

// A shard that runs several copies ahead has the same result.
TEST(Shards, RunAheadToo) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Operation> program = drawn_program(seed);
    DrawnApplication laid_out(program);
    const Prefixes prefixes = lay_out_prefixes(laid_out, kMostSteps, 16);
    for (const int number : {1, 2}) {
      DrawnApplication alone(program);
      const ShardResult expected = search_shard(alone, prefixes, number, 2, true, kMostSteps, ignore);
      AheadApplication ahead([&] { return std::make_unique<DrawnApplication>(program); },
                             {.most_steps = kMostSteps, .most_copies = 3, .waiting_for_copy = 0});
      const ShardResult result = search_shard(ahead, prefixes, number, 2, true, kMostSteps, ignore);
      EXPECT_EQ(result.counts.states, expected.counts.states);
      EXPECT_EQ(result.counts.executions, expected.counts.executions);
      EXPECT_EQ(result.prefix, expected.prefix);
      EXPECT_EQ(text_of(result.found.steps), text_of(expected.found.steps));
    }
  }
}

// Prefixes longer than the limit of steps could not be cut off.
TEST(Shards, RespectTheLimitOfSteps) {
  const std::vector<Operation> program = drawn_program(2);
  DrawnApplication laid_out(program);
  for (const Prefix& prefix : lay_out_prefixes(laid_out, 2, 1000).all) EXPECT_LE(prefix.steps.size(), 2U);
}

}  // namespace
}  // namespace strata::check
