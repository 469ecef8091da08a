// SPDX-License-Identifier: LGPL-2.1-only
// The schedules of the nonblocking collectives on larger trees than those on which the property checker tests all
// schedules (area schedule), with the checker's own requirements. Also worked examples.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "check/areas/schedule_area.h"
#include "mpi_ext/nbc/level_tree.h"
#include "mpi_ext/nbc/rounds.h"

namespace strata::mpix {
namespace {

using Case = check::ScheduleCase;

void expect_right(const Case& c) {
  static const auto properties = check::schedule_properties();
  const check::ScheduleOutcome outcome = check::schedule_outcome(c);
  for (const auto& p : properties) {
    const auto judgement = p.judge(c, outcome);
    ASSERT_FALSE(judgement.violation()) << schedule_key(c) << ": " << p.info.name << ": " << *judgement.violation();
  }
}

std::vector<bool> both_if(bool condition) { return condition ? std::vector{false, true} : std::vector{false}; }

// All cases with a given size, root and mapping to nodes.
void expect_right_for_all(Case c) {
  for (c.arity = 2; c.arity <= 5; ++c.arity) {
    for (const bool in_place : both_if(check::can_be_in_place(c.collective))) {
      c.in_place = in_place;
      for (const bool ordered : both_if(check::is_reduction(c.collective))) {
        c.commutes = !ordered;
        for (c.steps = 0; c.steps <= check::height_of(c); ++c.steps) expect_right(c);
      }
    }
  }
}

std::vector<int> roots_for(Nbc collective, int size) {
  return check::has_root(collective) ? std::vector{0, 1, size / 2, size - 1} : std::vector{0};
}

class Schedules : public ::testing::TestWithParam<Nbc> {};

TEST_P(Schedules, AreRightOnTheFlatTree) {
  for (const int size : {33, 64, 65, 70, 129}) {
    for (const int root : roots_for(GetParam(), size)) expect_right_for_all({GetParam(), size, root});
  }
}

TEST_P(Schedules, AreRightOverNodes) {
  for (const int size : {11, 17, 23, 70}) {
    std::vector<std::vector<int>> mappings(4, std::vector<int>(size));
    for (int rank = 0; rank < size; ++rank) {
      mappings[0][rank] = rank / 4;                           // blocks
      mappings[1][rank] = 10 - rank % 3;                      // round-robin
      mappings[2][rank] = rank * rank % 7;                    // scattered and uneven
      mappings[3][rank] = static_cast<int>(std::sqrt(rank));  // uneven blocks
    }
    for (const auto& node_of_rank : mappings) {
      for (const int root : roots_for(GetParam(), size)) {
        expect_right_for_all({.collective = GetParam(), .ranks = size, .root = root, .node_of_rank = node_of_rank});
      }
    }
  }
}

// 64 ranks and 3 split steps, counted by hand: levels 1 to 3 have 32 + 16 + 8 messages, levels 4 to 6 have 4 + 2 + 1.
TEST_P(Schedules, SplitsSixtyFourRanksByHand) {
  const Case c = {.collective = GetParam(),
                  .ranks = 64,
                  .root = check::has_root(GetParam()) ? 5 : 0,
                  .steps = GetParam() < Nbc::kScan ? 3 : 0};
  const check::ScheduleRun run = check::run_schedules(c, check::schedules_of(c));
  std::array<int, 3> messages = {};
  for (const auto& m : run.messages) ++messages[m.part_sent];
  switch (GetParam()) {
    case Nbc::kReduce:
    case Nbc::kGather:
      EXPECT_EQ(messages, (std::array{56, 7, 0}));
      return;
    case Nbc::kBcast:
    case Nbc::kScatter:
      EXPECT_EQ(messages, (std::array{0, 7, 56}));
      return;
    case Nbc::kAllreduce:
      EXPECT_EQ(messages, (std::array{56, 14, 56}));
      return;
    case Nbc::kScan:
      EXPECT_EQ(messages, (std::array{0, 63, 0}));
      return;
    case Nbc::kBarrier:
      EXPECT_EQ(messages, (std::array{0, 126, 0}));
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryCollective, Schedules,
                         ::testing::Values(Nbc::kBcast, Nbc::kReduce, Nbc::kAllreduce, Nbc::kScatter, Nbc::kGather,
                                           Nbc::kScan, Nbc::kBarrier),
                         [](const auto& collective) { return std::string(name_of(collective.param)); });

TEST(MostSteps, IsTheHeight) {
  for (int size = 1; size <= 70; ++size) {
    const std::vector<int> alternating = [&] {
      std::vector<int> nodes(size);
      for (int rank = 0; rank < size; ++rank) nodes[rank] = rank % 2;
      return nodes;
    }();
    const int flat = tree_height(size, 3);
    const int nodes = tree_height((size + 1) / 2, 3) + tree_height(std::min(size, 2), 3);
    NbcCase what = {.size = size, .arity = 3};
    for (const Nbc c : {Nbc::kBcast, Nbc::kReduce, Nbc::kAllreduce, Nbc::kScatter, Nbc::kGather}) {
      what.collective = c;
      EXPECT_EQ(most_steps(what), flat);
    }
    what.node_of_rank = alternating;
    what.collective = Nbc::kReduce;
    EXPECT_EQ(most_steps(what), nodes);
    what.commutes = false;
    EXPECT_EQ(most_steps(what), flat);
    what.collective = Nbc::kScan;
    EXPECT_EQ(most_steps(what), 0);
    what.collective = Nbc::kBarrier;
    EXPECT_EQ(most_steps(what), 0);
  }
}

TEST(NbcSchedule, RefusesWhatIsOutOfRange) {
  const std::vector<int> nodes = {0, 0, 1};
  const NbcCase good = {.collective = Nbc::kReduce, .rank = 1, .size = 4, .root = 1, .steps = 2, .in_place = true};
  EXPECT_NO_THROW(nbc_schedule(good));
  const auto refuses = [&](auto change) {
    NbcCase bad = good;
    change(bad);
    EXPECT_THROW(nbc_schedule(bad), std::invalid_argument);
  };
  refuses([](NbcCase& c) { c.size = 0; });
  refuses([](NbcCase& c) { c.rank = 4; });
  refuses([](NbcCase& c) { c.rank = -1; });
  refuses([](NbcCase& c) { c.root = 4; });
  refuses([](NbcCase& c) { c.root = -1; });
  refuses([](NbcCase& c) { c.arity = 1; });
  refuses([](NbcCase& c) { c.steps = 3; });
  refuses([](NbcCase& c) { c.steps = -1; });
  refuses([](NbcCase& c) { c.root = 2; });  // rank 1 is in place
  refuses([](NbcCase& c) { c.collective = Nbc::kBcast; });
  refuses([&](NbcCase& c) { c.node_of_rank = nodes; });
  try {
    NbcCase bad = good;
    bad.steps = 3;
    nbc_schedule(bad);
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "schedule of reduce: more steps than the tree has levels");
  }
}

}  // namespace
}  // namespace strata::mpix
