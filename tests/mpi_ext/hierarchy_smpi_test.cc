// SPDX-License-Identifier: LGPL-2.1-only
// The MPI layer under SMPI: hierarchy_mpi_program and splits_mpi_program on described machines, with globals that are
// shared by the ranks or privatised.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/launcher/installation.h"
#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

const std::string kProgram = "hierarchy_mpi_program";

class Everything : public ::testing::TestWithParam<std::tuple<PlacedCase, bool>> {};

TEST_P(Everything, AgreesWithThePureCore) {
  const auto& [c, privatize] = GetParam();
  const Placed p = c.place();
  const int ranks = static_cast<int>(p.ranks.size());
  // For each root, every rank makes more than 100 checks of broadcasts alone.
  expect_success(run_under_smpi(p, {.program = kProgram, .privatize = privatize}), ranks, 100L * ranks);
}

TEST_P(Everything, SplitsAgreeWithHwlocAndThePureCore) {
  const auto& [c, privatize] = GetParam();
  const Placed p = c.place();
  expect_success(run_under_smpi(p, {.program = "splits_mpi_program", .privatize = privatize}),
                 static_cast<int>(p.ranks.size()), 700);
}

// A few ranks that alternate between two nodes, two for each L2.
Placed small_world(int np) { return placed(figure_1(2), np, "node", "l2"); }

const PlacedCase kCases[] = {
    {"Rr9077Section51", [] { return placed(figure_1(4), 32, "core", "core"); }},
    {"Rr9077Section52", [] { return bound(figure_1(1), kSection52); }},
    {"Rr9077Section52WithAnUnboundRank", [] { return bound(figure_1(1), std::string(kSection52) + "8 0 0-7\n"); }},
    {"UnevenSwitches", [] { return placed(uneven_switches(), 24, "node", "core"); }},
    {"UnevenSwitchesUneven",  // bound to a core, package, node, cores of two packages
     [] {
       return bound(uneven_switches(),
                    "0 3 0\n1 0 4-7\n2 0 0-7\n3 5 3-4\n4 5 3\n5 4 0-3\n6 0 5\n7 2 0-7\n8 5 0-1\n9 3 0-3\n10 0 6\n");
     }},
    {"BindingsThatSpanTwoL3",  // Open MPI issue 12812
     [] {
       std::string lines;
       for (int r = 0; r < 8; ++r)
         lines += std::to_string(r) + " 0 " + std::to_string(3 * r) + "-" + std::to_string(3 * r + 2) + "\n";
       return bound(machine_from_tree("node:1 l3:3 core:8 pu:1"), lines);
     }},
    {"UnboundOnOneNode", [] { return placed(figure_1(1), 5, "core", "none"); }},
    {"UnboundOnThreeNodes", [] { return placed(figure_1(3), 8, "node", "none"); }},
    {"Ranks1", [] { return small_world(1); }},
    {"Ranks2", [] { return small_world(2); }},
    {"Ranks3", [] { return small_world(3); }},
    {"Ranks4", [] { return small_world(4); }},
    {"Ranks5", [] { return small_world(5); }},
    {"Ranks6", [] { return small_world(6); }},
    {"Ranks7", [] { return small_world(7); }},
    {"Ranks8", [] { return small_world(8); }},
    {"Ranks9", [] { return small_world(9); }},
};

INSTANTIATE_TEST_SUITE_P(Smpi, Everything, ::testing::Combine(::testing::ValuesIn(kCases), ::testing::Bool()),
                         [](const auto& p) {
                           return std::string(std::get<0>(p.param).name) +
                                  (std::get<1>(p.param) ? "Private" : "Shared");
                         });

TEST(Smpi, Ntw10e5FortyEightRanksOnTwoNodes) {
  const Machine m = find_machine("ntw10e5", sim::find_installation().machines);
  expect_success(run_under_smpi(placed(m, 48, "core", "core"), {.program = kProgram}), 48, 4800);
}

// As users run it: computation is measured and simulated, so SMPI switches between ranks inside MPI calls.
TEST(Smpi, ComputationSimulated) {
  const Placed p = bound(figure_1(1), kSection52);
  expect_success(run_under_smpi(p, {.program = kProgram,
                                    .options = {"--cfg=smpi/simulate-computation:yes", "--cfg=smpi/cpu-threshold:0"}}),
                 8, 800);
}

TEST(Smpi, WhoHasNoPlaceKeepsNobodyWaiting) {
  const Placed p = bound(figure_1(1), "0 0 0\n1 0 1\n2 0 2\n");
  const Ended e = run_under_smpi(p, {.program = kProgram, .words = {"short"}, .unbound_ranks = 1});
  expect_success(e, 4, 4200);
  EXPECT_THAT(e.output, ::testing::HasSubstr("binds 3 ranks, this is rank 3; give a binding for each rank"));
}

// At the end SMPI lists every handle that was not freed.
constexpr const char* kLeaks = "Probable memory leaks in your code: SMPI detected";

TEST(Smpi, NothingIsLeftBehind) {
  const Ended e =
      run_under_smpi(bound(figure_1(1), kSection52),
                     {.program = kProgram, .words = {"cycles=300"}, .options = {"--cfg=smpi/list-leaks:50"}});
  expect_success(e, 8, 300L * 10);
  EXPECT_THAT(e.output, ::testing::Not(::testing::HasSubstr(kLeaks)));
}

// Shows that the test above can fail: if the program keeps a communicator, SMPI lists it, with its info for each rank,
// and its group, which the ranks share.
TEST(Smpi, WhatIsLeftBehindIsListed) {
  const Ended e =
      run_under_smpi(bound(figure_1(1), kSection52),
                     {.program = kProgram, .words = {"cycles=1", "leak"}, .options = {"--cfg=smpi/list-leaks:50"}});
  expect_success(e, 8, 10);
  EXPECT_THAT(e.output, ::testing::HasSubstr(std::string(kLeaks) + " 17 unfreed MPI handles"));
  EXPECT_THAT(e.output, ::testing::HasSubstr("8 leaked handles of type MPI_Comm"));
}

}  // namespace
}  // namespace strata::mpix::testing
