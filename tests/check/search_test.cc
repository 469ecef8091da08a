// SPDX-License-Identifier: LGPL-2.1-only
// The search that replaces SimGrid 4.0's, on random programs whose orders are known without SimGrid. It finds the same
// outcomes with and without reduction.
#include "check/messages/explorer/search.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/check/drawn_application.h"
#include "tests/check/drawn_orders.h"
#include "tests/check/programs/drawn_program.h"

namespace strata::check {
namespace {

struct Found {
  SearchResult result;
  SearchCounts counts;
  Outcomes outcomes;
};

Found search(const std::vector<Operation>& program, bool reduce, std::size_t most_steps = 1000) {
  DrawnApplication application(program);
  Search search(application, reduce, most_steps, [](const SearchCounts&) {});
  const SearchResult result = search.run();
  return {result, search.counts(), application.outcomes};
}

// Ranks 1 and 2 send to rank 0, which receives from named sources or from any.
std::vector<Operation> two_senders(bool from_anybody) {
  std::vector<Operation> program;
  for (const int sender : {1, 2}) {
    program.push_back({.rank = sender, .peer = 0, .tag = 1});
    program.push_back({.rank = 0, .peer = sender, .tag = 1, .way = Way::kReceive, .from_anybody = from_anybody});
  }
  return program;
}

TEST(Search, ExploresOneOrderOfEachSetOfEqualOnes) {
  EXPECT_EQ(search(two_senders(false), true).counts.executions, 1);
  EXPECT_EQ(search(two_senders(true), true).counts.executions, 2);
  EXPECT_EQ(search(two_senders(true), true).counts.redundant, 0);
  EXPECT_GT(search(two_senders(true), false).counts.executions, 2);
}

TEST(Search, TellsTheStepsToADeadlock) {
  const std::vector<Operation> head_on = {{.rank = 0, .peer = 1, .tag = 1, .large = true},
                                          {.rank = 0, .peer = 1, .tag = 1, .way = Way::kReceive},
                                          {.rank = 1, .peer = 0, .tag = 1, .large = true},
                                          {.rank = 1, .peer = 0, .tag = 1, .way = Way::kReceive}};
  const SearchResult result = search(head_on, true).result;
  EXPECT_EQ(result.wrong, Wrong::kDeadlock);
  ASSERT_EQ(result.steps.size(), 2U);
  EXPECT_EQ(result.steps[0].actor + result.steps[1].actor, 3);  // both ranks have sent
}

TEST(Search, CutsOffAtTheLimit) {
  const Found found = search(two_senders(true), true, 3);
  EXPECT_EQ(found.result.wrong, Wrong::kNothing);
  EXPECT_GT(found.counts.cut, 0);
  EXPECT_EQ(found.counts.executions, found.counts.cut);
}

TEST(Search, FindsTheOutcomesOfAllOrdersOfDrawnPrograms) {
  constexpr unsigned kSeeds = 500;
  int deadlocks = 0;
  long reduced = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Operation> program = drawn_program(seed);
    const Outcomes all = outcomes_of(program);
    const Found found = search(program, true);
    reduced += found.counts.states;
    if (all.deadlock) {
      ++deadlocks;
      EXPECT_EQ(found.result.wrong, Wrong::kDeadlock);
    } else {
      EXPECT_EQ(found.result.wrong, Wrong::kNothing);
      EXPECT_TRUE(found.outcomes == all);
    }
  }
  EXPECT_GT(deadlocks, 0);
  EXPECT_LT(deadlocks, static_cast<int>(kSeeds));
  std::printf("%u programs, %d with a deadlock, %ld states\n", kSeeds, deadlocks, reduced);
}

}  // namespace
}  // namespace strata::check
