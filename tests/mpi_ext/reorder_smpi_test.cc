// SPDX-License-Identifier: LGPL-2.1-only
// Reordered communicators under SMPI: reorder_mpi_program on described machines, with globals that are shared by the
// ranks or privatised.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

const std::string kProgram = "reorder_mpi_program";

class Everything : public ::testing::TestWithParam<std::tuple<PlacedCase, bool>> {};

TEST_P(Everything, IsThePureCoresAndDataFollows) {
  const auto& [c, privatize] = GetParam();
  const Placed p = c.place();
  expect_success(run_under_smpi(p, {.program = kProgram, .privatize = privatize}), static_cast<int>(p.ranks.size()),
                 500);
}

const PlacedCase kCases[] = {
    {"EqualNodesDealtRoundRobin", [] { return placed(figure_1(4), 16, "node", "core"); }},
    {"NodesOfFourAndTwo", [] { return placed(machine_from_tree("node:3 pack:2 core:2 pu:1"), 10, "core", "core"); }},
    {"UnevenSwitches", [] { return placed(uneven_switches(), 9, "node", "core"); }},
    {"RanksOnCoresPackagesAndNodesInNoOrder",
     [] { return bound(uneven_switches(), "0 3 0\n1 0 4-7\n2 0 0-7\n3 5 3-4\n4 5 3\n5 4 0-3\n6 0 5\n7 2 0-7\n"); }},
    {"UnboundOnTwoNodes", [] { return placed(figure_1(2), 6, "node", "none"); }},
    {"Ranks1", [] { return placed(figure_1(2), 1, "node", "core"); }},
    {"Ranks2", [] { return placed(figure_1(2), 2, "node", "core"); }},
};

INSTANTIATE_TEST_SUITE_P(Smpi, Everything, ::testing::Combine(::testing::ValuesIn(kCases), ::testing::Bool()),
                         [](const auto& p) {
                           return std::string(std::get<0>(p.param).name) +
                                  (std::get<1>(p.param) ? "Private" : "Shared");
                         });

TEST(Smpi, AnEnvironmentThatNamesNoAlgorithm) {
  const Ended e = run_under_smpi(
      placed(figure_1(2), 4, "node", "core"),
      {.program = kProgram, .words = {"environment"}, .environment = {{"MPIX_REORDER_ALGORITHM", "tidy"}}});
  expect_success(e, 4, 5);
  EXPECT_THAT(e.output, ::testing::HasSubstr("strata: MPIX_REORDER_ALGORITHM: unknown algorithm 'tidy'; give one of "));
}

TEST(Smpi, AnEnvironmentThatNamesTheAlgorithm) {
  expect_success(
      run_under_smpi(
          placed(figure_1(2), 4, "node", "core"),
          {.program = kProgram, .words = {"named"}, .environment = {{"MPIX_REORDER_ALGORITHM", "identity"}}}),
      4, 3);
}

// One rank is not bound.
TEST(Smpi, AnUnknownPlaceIsEverybodysError) {
  const Ended e = run_under_smpi(placed(figure_1(2), 4, "node", "core"),
                                 {.program = kProgram, .words = {"unplaced"}, .unbound_ranks = 1});
  expect_success(e, 5, 5);
  EXPECT_THAT(e.output, ::testing::HasSubstr("binds 4 ranks, this is rank 4"));
}

// For this many ranks, the broadcast that SMPI chooses as Open MPI does creates a communicator for each node, in
// O(P^2).
TEST(Smpi, ManyRanks) {
  expect_success(
      run_under_smpi(placed(machine_from_tree("node:256 pack:2 core:8 pu:1"), 4096, "core", "core"),
                     {.program = kProgram, .words = {"large"}, .options = {"--cfg=smpi/bcast:binomial_tree"}}),
      4096, 3);
}

// At the end SMPI lists every handle that was not freed.
TEST(Smpi, NothingIsLeftBehind) {
  const Ended e =
      run_under_smpi(placed(figure_1(2), 6, "node", "core"),
                     {.program = kProgram, .words = {"cycles=100"}, .options = {"--cfg=smpi/list-leaks:50"}});
  expect_success(e, 6, 100);
  EXPECT_THAT(e.output, ::testing::Not(::testing::HasSubstr("Probable memory leaks in your code: SMPI detected")));
}

}  // namespace
}  // namespace strata::mpix::testing
