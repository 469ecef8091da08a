// SPDX-License-Identifier: LGPL-2.1-only
// Compares the verdicts of the installed SimGrid with all orders: for small programs, with an exploration without
// reduction; for random programs, with all of their outcomes (drawn_orders.h). A reduction that misses an order misses
// an outcome.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "check/messages/exploration.h"
#include "platforms/placement.h"
#include "tests/check/drawn_orders.h"
#include "tests/check/model_checker_fixture.h"
#include "tests/check/programs/drawn_program.h"
#include "tests/command/strata_process.h"

namespace strata::check {
namespace {

class Reductions : public WithModelChecker {
 protected:
  Explored explored(std::vector<std::string> arguments, int ranks, Buffering buffering,
                    Reduction reduction = Reduction::kDpor) const {
    Exploration e{.name = "orders", .program = built("tests/check/orders.so"), .arguments = std::move(arguments)};
    e.machine = machine_;
    e.placement.ranks = place(*machine_->topology, ranks);
    e.buffering = buffering;
    e.eager_limit_bytes = kEagerBytes;
    e.reduction = reduction;
    e.limits.seconds = 50;
    return explore(checker_, sim::find_installation(), e);
  }
  Verdict mixed(unsigned seed, unsigned forbidden) const {
    return explored({"mixed", std::to_string(seed), std::to_string(forbidden)}, kDrawnRanks, Buffering::kSome).verdict;
  }

  std::shared_ptr<const Machine> machine_ = std::make_shared<const Machine>(machine_from_tree("node:2 core:4"));
};

// The verdict of each fixed program is the same with and without a reduction.
TEST_F(Reductions, AgreeWithAllOrdersOfFixedPrograms) {
  struct Program {
    std::string how;
    int ranks;
    Buffering buffering;
  };
  for (const Program& p : {Program{"wildcard", 3, Buffering::kAll}, Program{"head-on", 2, Buffering::kAll},
                           Program{"head-on", 2, Buffering::kNone}, Program{"busy-first", 4, Buffering::kAll},
                           Program{"probe-finds", 2, Buffering::kAll}, Program{"probe-misses", 2, Buffering::kAll},
                           Program{"test-finds", 2, Buffering::kAll}, Program{"test-misses", 2, Buffering::kAll},
                           Program{"second-first", 3, Buffering::kAll}, Program{"either-first", 3, Buffering::kAll},
                           Program{"answered", 2, Buffering::kAll}, Program{"cancelled", 2, Buffering::kAll},
                           Program{"with-null", 2, Buffering::kNone}, Program{"lost", 2, Buffering::kAll}}) {
    const Explored reduced = explored({p.how}, p.ranks, p.buffering);
    const Explored all = explored({p.how}, p.ranks, p.buffering, Reduction::kNone);
    EXPECT_STREQ(name_of(reduced.verdict), name_of(all.verdict)) << p.how;
    EXPECT_LE(reduced.states, all.states) << p.how;
  }
}

// An outcome that is forbidden is found if and only if some order has it.
TEST_F(Reductions, FindTheOutcomesOfAllOrdersOfDrawnPrograms) {
  constexpr unsigned kFirstSeed = 1, kSeeds = 16, kNone = 4'000'000'000;
  int holding = 0, deadlocked = 0, asked = 0;
  for (unsigned seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Outcomes all = outcomes_of(drawn_program(seed));
    const Verdict unasked = mixed(seed, kNone);
    if (all.deadlock || all.unmatched) {
      EXPECT_TRUE((all.deadlock && unasked == Verdict::kDeadlock) || (all.unmatched && unasked == Verdict::kUnmatched))
          << name_of(unasked);
      ++deadlocked;
      continue;
    }
    EXPECT_STREQ(name_of(unasked), name_of(Verdict::kHolds));
    ++holding;
    for (const std::set<unsigned>& of_rank : all.of_rank) {
      if (of_rank.size() < 2) continue;
      for (const unsigned outcome : {*of_rank.begin(), *of_rank.rbegin()}) {
        EXPECT_STREQ(name_of(mixed(seed, outcome)), name_of(Verdict::kAborted)) << "outcome " << outcome;
        ++asked;
      }
    }
  }
  std::printf("seeds %u to %u: %d programs hold, %d do not, %d outcomes found\n", kFirstSeed, kFirstSeed + kSeeds - 1,
              holding, deadlocked, asked);
  EXPECT_GT(holding, 0);
  EXPECT_GT(deadlocked, 0);
  EXPECT_GT(asked, 0);
}

}  // namespace
}  // namespace strata::check
