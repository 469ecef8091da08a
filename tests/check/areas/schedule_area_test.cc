// SPDX-License-Identifier: LGPL-2.1-only
// The area schedule: its counts, keys and drawings, and a violation of every property by wrong schedules.
#include "check/areas/schedule_area.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/check/areas/area_checks.h"

namespace strata::check {
namespace {

using mpix::Action;
using mpix::Nbc;
using mpix::Round;
using mpix::Schedule;
using Kind = Action::Kind;

TEST(ScheduleArea, HoldsOnAllCasesOfTheQuickBounds) {
  const AreaResult r = testing::explore_quickly(*schedule_area());
  EXPECT_EQ(r.bounds.text(), "ranks 9, arity 3, noded-ranks 5");
  EXPECT_EQ(r.cases, 26'454);
  EXPECT_EQ(r.distinct, 25'704);
  EXPECT_EQ(r.random_cases, 100);
  EXPECT_EQ(testing::asked_of_some(r), (std::map<std::string, long>{{"barrier", 181},
                                                                    {"combinations", 13'280},
                                                                    {"contributions", 26'373},
                                                                    {"level-messages", 26'199},
                                                                    {"level-tree", 26'199},
                                                                    {"model-time", 26'373},
                                                                    {"no-nodes", 14'942},
                                                                    {"once-a-node", 8'571},
                                                                    {"rank-order", 6'423},
                                                                    {"some-exact-model", 9'170},
                                                                    {"some-ordered", 4'073},
                                                                    {"some-split", 10'836},
                                                                    {"some-uneven-nodes", 7'702},
                                                                    {"some-wrap", 2'050},
                                                                    {"weights", 10'328}}));
}

TEST(ScheduleArea, KeysAreReadBack) {
  const auto area = schedule_area();
  testing::expect_keys_read_back(*area, testing::some_keys(*area, 26000, 100, 100), read_schedule_key, schedule_key);
  EXPECT_EQ(read_schedule_key("reduce,ranks=4,root=3,arity=2,steps=1,in-place,ordered,nodes=0.0.1.1"),
            (ScheduleCase{Nbc::kReduce, 4, 3, 2, 1, true, false, {0, 0, 1, 1}}));
}

TEST(ScheduleArea, RefusesKeysThatAreNone) {
  const auto refused = [](const std::string& key) { return testing::refusal(read_schedule_key, key); };
  const std::string form =
      "; a case is COLLECTIVE,ranks=N[,root=R],arity=M[,steps=S][,in-place][,ordered][,nodes=A.B.C...], such as "
      "'reduce,ranks=8,root=3,arity=2,steps=1'";
  EXPECT_EQ(
      refused("reduce,ranks=4,root=4,arity=2,steps=0"),
      "case 'reduce,ranks=4,root=4,arity=2,steps=0', character 16: 'root=4' where root=NUMBER, from 0 to 3, must be" +
          form);
  EXPECT_EQ(refused("scan,ranks=4,arity=2"),
            "case 'scan,ranks=4,arity=2', character 14: 'arity=2' where the end must be" + form);
  EXPECT_EQ(refused("bcast,ranks=4,root=0,arity=2,steps=3"),
            "case 'bcast,ranks=4,root=0,arity=2,steps=3', character 30: 3 steps of a tree of 2 levels" + form);
  EXPECT_EQ(
      refused("barrier,ranks=3,arity=2,nodes=1.0.1"),
      "case 'barrier,ranks=3,arity=2,nodes=1.0.1', character 25: nodes are not numbered in the order of their first "
      "ranks" +
          form);
  for (const char* key :
       {"", "alltoall,ranks=4", "bcast", "bcast,ranks=0,root=0,arity=2,steps=0", "barrier,ranks=03,arity=2",
        "barrier,ranks=3,arity=2,steps=0", "barrier,ranks=3,arity=2,in-place", "barrier,ranks=3,arity=2,nodes=0.0",
        "barrier,ranks=3,arity=2,nodes=0..1", "barrier,ranks=3,arity=x"}) {
    EXPECT_TRUE(refused(key).starts_with("case '" + std::string(key) + "', character ")) << refused(key);
  }
}

TEST(ScheduleArea, DrawsStepsOfRanksAndMessages) {
  const Drawing drawing = schedule_area()->draw("reduce,ranks=5,root=3,arity=2,steps=1,ordered");
  EXPECT_EQ(drawing.text,
            "reduce of 5 ranks, root 3, arity 2, 1 of 3 levels split, in the order of the ranks\n"
            "   1. in the call   level 1  rank 1 -> rank 0  {1}\n"
            "   2. in the call   level 1  rank 3 -> rank 2  {3}\n"
            "   3. on the thread level 2  rank 2 -> rank 0  {2,3}\n"
            "   4. on the thread level 3  rank 4 -> rank 0  {4}\n"
            "   5. on the thread level 4  rank 0 -> rank 3  {0,1,2,3,4}\n"
            "      rank 3 ends with {0,1,2,3,4}\n");
  EXPECT_TRUE(drawing.svg.starts_with("<svg ") && drawing.svg.ends_with("</svg>\n"));
}

TEST(ScheduleArea, SmallerCasesAreSimpler) {
  EXPECT_EQ(schedule_area()->smaller("scan,ranks=3,ordered"),
            (std::vector<std::string>{"scan,ranks=2,ordered", "scan,ranks=3"}));
  EXPECT_TRUE(schedule_area()->smaller("barrier,ranks=1,arity=2").empty());
}

// --- mistakes ---

// Every possible change of a single action or round in the schedules.
void for_each_mistake(const std::vector<Schedule>& right,
                      const std::function<void(std::vector<Schedule>, const std::string&)>& tell) {
  const auto rounds_of = [](Schedule& s, int part) -> std::vector<Round>& {
    return part == 0 ? s.in_call : part == 1 ? s.on_thread : s.in_wait;
  };
  for (size_t rank = 0; rank < right.size(); ++rank) {
    for (int part = 0; part < 3; ++part) {
      Schedule copy = right[rank];
      for (size_t r = 0; r < rounds_of(copy, part).size(); ++r) {
        const std::string where =
            "rank " + std::to_string(rank) + " part " + std::to_string(part) + " round " + std::to_string(r);
        const auto change = [&](const std::string& what, const auto& make) {
          auto wrong = right;
          make(rounds_of(wrong[rank], part), wrong[rank]);
          tell(wrong, where + ": " + what);
        };
        change("later part", [&](std::vector<Round>& rounds, Schedule& s) {
          const Round moved = rounds[r];
          rounds.erase(rounds.begin() + static_cast<long>(r));
          rounds_of(s, (part + 1) % 3).push_back(moved);
        });
        for (size_t a = 0; a < rounds_of(copy, part)[r].size(); ++a) {
          const auto change_action = [&](const std::string& what, const std::function<void(Action&)>& make) {
            change(what, [&](std::vector<Round>& rounds, Schedule&) { make(rounds[r][a]); });
          };
          const Action action = rounds_of(copy, part)[r][a];
          change("dropped", [&](std::vector<Round>& rounds, Schedule&) {
            rounds[r].erase(rounds[r].begin() + static_cast<long>(a));
          });
          change("twice", [&](std::vector<Round>& rounds, Schedule&) { rounds[r].push_back(rounds[r][a]); });
          if (action.kind == Kind::kSend || action.kind == Kind::kReceive) {
            change_action("level", [](Action& b) { ++b.level; });
            change_action("peer", [&](Action& b) { b.peer = (b.peer + 1) % static_cast<int>(right.size()); });
          }
          if (action.from.blocks > 0) {
            change_action("from", [](Action& b) { ++b.from.first_block; });
            change_action("fewer", [](Action& b) { --b.from.blocks; });
          }
          if (action.to.blocks > 0) change_action("to", [](Action& b) { ++b.to.first_block; });
          if (action.kind == Kind::kCombine || action.kind == Kind::kCopy) {
            change_action("swapped", [](Action& b) { std::swap(b.from, b.to); });
          }
        }
      }
    }
    auto wrong = right;
    ++wrong[rank].scratch_blocks;
    tell(wrong, "rank " + std::to_string(rank) + ": more scratch");
    wrong = right;
    ++wrong[rank].scratch2_blocks;
    tell(wrong, "rank " + std::to_string(rank) + ": more of the other scratch");
  }
}

const std::vector<std::string> kCases = {
    "bcast,ranks=5,root=1,arity=2,steps=1",
    "reduce,ranks=5,root=0,arity=2,steps=2",
    "reduce,ranks=5,root=3,arity=2,steps=1,ordered",
    "reduce,ranks=4,root=0,arity=2,steps=1,in-place,ordered",
    "allreduce,ranks=4,arity=2,steps=1",
    "allreduce,ranks=5,arity=3,steps=1,nodes=0.1.0.1.2",
    "scatter,ranks=6,root=4,arity=2,steps=1",
    "gather,ranks=6,root=5,arity=2,steps=1",
    "scan,ranks=3",
    "scan,ranks=3,ordered",
    "barrier,ranks=4,arity=2",
    "reduce,ranks=4,root=0,arity=2,steps=0,ordered,nodes=0.1.0.1",
};

TEST(ScheduleProperties, EveryMistakeViolatesOneAndEachIsViolated) {
  const auto properties = schedule_properties();
  std::set<std::string> violated;
  long mistakes = 0;
  for (const std::string& key : kCases) {
    const ScheduleCase c = read_schedule_key(key);
    const ScheduleOutcome right = schedule_outcome(c);
    EXPECT_EQ(testing::violated_by(properties, c, right), std::set<std::string>{}) << key;
    for_each_mistake(right.schedules, [&](const std::vector<Schedule>& wrong, const std::string& what) {
      ScheduleOutcome outcome = right;
      outcome.schedules = wrong;
      outcome.run = run_schedules(c, wrong);
      const auto names = testing::violated_by(properties, c, outcome);
      EXPECT_FALSE(names.empty()) << key << ", " << what;
      violated.insert(names.begin(), names.end());
      ++mistakes;
    });
    // Parts of the outcome other than the schedules.
    const auto change = [&](const std::string& property, const std::function<void(ScheduleOutcome&)>& make) {
      ScheduleOutcome outcome = right;
      make(outcome);
      const auto names = testing::violated_by(properties, c, outcome);
      EXPECT_TRUE(names.contains(property)) << key << ": " << property;
      violated.insert(names.begin(), names.end());
    };
    change("most-steps", [](ScheduleOutcome& o) { ++o.most_steps.back(); });
    if (c.collective != Nbc::kScan) change("level-tree", [](ScheduleOutcome& o) { ++o.trees.back().subtree; });
    if (must_be_over_nodes(c)) change("once-a-node", [](ScheduleOutcome& o) { ++o.height_in_nodes; });
    if (!right.without_nodes.empty()) {
      change("no-nodes", [](ScheduleOutcome& o) { o.without_nodes.back().on_thread.clear(); });
    }
  }
  EXPECT_EQ(violated, testing::names_of_always(properties));
  EXPECT_EQ(mistakes, 1012);
}

// Rank 1's call waits for a message that rank 0 sends only in its wait. The run completes, so this is not a
// deadlock, but the property parts-alone detects it.
TEST(ScheduleProperties, ACallThatWaitsForAThreadIsNoDeadlockAndIsFound) {
  const ScheduleCase c = read_schedule_key("bcast,ranks=2,root=0,arity=2,steps=0");
  ScheduleOutcome o = schedule_outcome(c);
  std::swap(o.schedules[0].on_thread, o.schedules[0].in_wait);
  std::swap(o.schedules[1].on_thread, o.schedules[1].in_call);
  o.run = run_schedules(c, o.schedules);
  EXPECT_TRUE(o.run.waiting.empty());
  EXPECT_EQ(o.run.waits_for_others, "rank 1, in the call");
  EXPECT_TRUE(testing::violated_by(schedule_properties(), c, o).contains("parts-alone"));
}

}  // namespace
}  // namespace strata::check
