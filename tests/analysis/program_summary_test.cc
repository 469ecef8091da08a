// SPDX-License-Identifier: LGPL-2.1-only
// The summary of strata exec: its exact text, and when it gives which advice.
#include "analysis/program_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strata::analysis {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Two ranks: rank 0 computes for 3 ms of 4 ms, and rank 1 waits for it.
ProgramRun uneven() {
  ProgramRun run{.program = "app", .machine = "toy", .nodes = 1, .machine_nodes = 2, .measured = true};
  run.profile.simulated_time = 4e-3;
  run.profile.ranks = {{.computing = 3e-3, .communicating = 1e-3, .waiting = 0, .end = 4e-3},
                       {.computing = 1e-3, .communicating = 1e-3, .waiting = 2e-3, .end = 4e-3}};
  run.profile.calls = {{"MPI_Recv", 1, 3e-3, 2e-3}, {"MPI_Send", 1200, 1e-3, 0}, {"MPI_Comm_rank", 2, 0, 0}};
  run.levels = {{"System - Cluster", 0, 0}, {"Package", 1200, 3000000}, {kLoopbackLevel, 1, 1000000}};
  run.links = {{"node0.core0", "Package", "up", 1e9, 3000000, 1200, 0.25},
               {"node0.core1", "Package", "down", 1e9, 3000000, 1200, 0.75},
               {"node1.core0", "Package", "up", 1e9, 0, 0, 0}};
  return run;
}

TEST(Summary, ToTheLetter) {
  EXPECT_EQ(
      summary_text(uneven()),
      "app on toy: 2 ranks on 1 node, simulated time 4.00 ms\n"
      "\n"
      "time of a rank          mean     least                   most\n"
      "  computing           50.0 %    25.0 %  (rank 1)        75.0 %  (rank 0)\n"
      "  communicating       25.0 %    25.0 %  (rank 0)        25.0 %  (rank 1)\n"
      "  waiting             25.0 %     0.0 %  (rank 0)        50.0 %  (rank 1)\n"
      "\n"
      "MPI function                     calls time, all ranks       share     waiting\n"
      "  MPI_Recv                           1         3.00 ms      37.5 %      25.0 %\n"
      "  MPI_Send                       1,200         1.00 ms      12.5 %       0.0 %\n"
      "\n"
      "messages that cross           messages           bytes       share\n"
      "  Package                        1,200        3.000 MB      75.0 %\n"
      "  nothing (to itself)                1        1.000 MB      25.0 %\n"
      "\n"
      "fullest links                                  carried      in use\n"
      "  node0.core1 down                            3.000 MB      75.0 %\n"
      "  node0.core0 up                              3.000 MB      25.0 %\n"
      "\n"
      "what to try next\n"
      "  - ranks wait 25.0 % of their time, and rank 0 computes 1.50 times as long as the mean: give it less\n"
      "  - the link node0.core1 down is full 75.0 % of the time in which there are messages: send less over it, or "
      "use more of the machine's nodes (--map-by node)\n");
}

TEST(Summary, SaysThatFilesTakeNoTime) {
  ProgramRun run = uneven();
  EXPECT_THAT(summary_text(run), Not(HasSubstr("files are those")));
  run.profile.calls.push_back({"MPI_File_write_at", 3, 0, 0});
  EXPECT_THAT(summary_text(run),
              HasSubstr("MPI_Send                       1,200         1.00 ms      12.5 %       0.0 %\n"
                        "  files are those of this computer; reading and writing them takes no simulated time\n"));
}

TEST(Summary, AdviceNeedsEvidence) {
  ProgramRun run = uneven();
  run.machine_nodes = 1;
  EXPECT_THAT(summary_text(run), Not(HasSubstr("--map-by node")));
  run.links[1].utilisation = 0.4;
  EXPECT_THAT(summary_text(run), Not(HasSubstr("is full")));
  run.measured = false;
  EXPECT_THAT(summary_text(run), HasSubstr("--compute measured"));
  EXPECT_THAT(summary_text(run),
              HasSubstr("for others that are late, most of it in MPI_Recv (25.0 %): start what it waits for "
                        "earlier; --critical-path says which ranks are late\n"));
  run.time = "critical path\n";
  EXPECT_THAT(summary_text(run), HasSubstr("start what it waits for earlier\n"));
  run.profile.ranks[1].waiting = 1e-4;
  EXPECT_THAT(summary_text(run), Not(HasSubstr("ranks wait")));
  run.reordering = Reordering{"treematch", "the network", 0.65, 0.21};
  EXPECT_THAT(summary_text(run),
              HasSubstr("  - 65 % of the bytes cross the network; treematch would leave 21 %: --reorder treematch\n"));
  run.before_reordering = 8e-3;
  EXPECT_THAT(summary_text(run), HasSubstr("simulated time 4.00 ms (8.00 ms before reordering)\n"));
}

TEST(Summary, SaysWhoseCollectivesTheyWere) {
  ProgramRun run = uneven();
  EXPECT_THAT(summary_text(run), Not(HasSubstr("collectives: ")));
  run.collectives = "SMPI's own";
  EXPECT_THAT(summary_text(run), HasSubstr("simulated time 4.00 ms\ncollectives: SMPI's own\n\n"));
}

// Such as reading the clock.
TEST(Summary, TimeOutsideMpiIsNotCalledComputingWhereComputationTakesNone) {
  ProgramRun run = uneven();
  EXPECT_THAT(summary_text(run), Not(HasSubstr("outside MPI")));
  run.measured = false;
  EXPECT_THAT(summary_text(run),
              HasSubstr("\n  outside MPI         50.0 %    25.0 %  (rank 1)        75.0 %  (rank 0)\n"));
  EXPECT_THAT(summary_text(run), HasSubstr("\n  outside MPI: computation takes no time here, but reading the clock"));
  EXPECT_THAT(summary_text(run), Not(HasSubstr("  computing")));
  for (RankProfile& r : run.profile.ranks) r.computing = 0;
  EXPECT_THAT(summary_text(run), HasSubstr("\n  computing            0.0 % "));
  EXPECT_THAT(summary_text(run), Not(HasSubstr("outside MPI")));
}

TEST(Summary, WhatDecidesTheTimeComesBeforeTheAdvice) {
  ProgramRun run = uneven();
  run.time = "critical path\n  computing\n";
  EXPECT_THAT(summary_text(run), HasSubstr("25.0 %\n\ncritical path\n  computing\n\nwhat to try next\n"));
}

TEST(Summary, WhereNothingHappened) {
  ProgramRun run{.program = "app", .machine = "toy"};
  run.profile.ranks = {{}};
  const std::string text = summary_text(run);
  EXPECT_THAT(text, HasSubstr("1 rank on 1 node, simulated time 0 s\n"));
  EXPECT_THAT(text, HasSubstr("no messages\n"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(FullestLinks, AreInOrderAndUsed) {
  const std::vector<LinkTraffic> links = fullest_links(uneven().links, 5);
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].link, "node0.core1");
  EXPECT_EQ(fullest_links(uneven().links, 1).size(), 1u);
}

TEST(TotalTimes, AreSums) {
  const RankTimes total = total_times(uneven().profile);
  EXPECT_DOUBLE_EQ(total.computing, 4e-3);
  EXPECT_DOUBLE_EQ(total.communicating, 2e-3);
  EXPECT_DOUBLE_EQ(total.waiting, 2e-3);
}

}  // namespace
}  // namespace strata::analysis
