// SPDX-License-Identifier: LGPL-2.1-only
// Cartesian communicators under SMPI: cart_mpi_program on described machines, with globals that are shared by the ranks
// or privatised.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

const std::string kProgram = "cart_mpi_program";

class Everything : public ::testing::TestWithParam<std::tuple<PlacedCase, bool>> {};

TEST_P(Everything, AgreesWithMpiAndThePureCore) {
  const auto& [c, privatize] = GetParam();
  const Placed p = c.place();
  expect_success(run_under_smpi(p, {.program = kProgram, .privatize = privatize}), static_cast<int>(p.ranks.size()),
                 100);
}

const PlacedCase kCases[] = {
    {"EqualNodes", [] { return placed(machine_from_tree("node:3 pack:2 core:2 pu:1"), 12, "core", "core"); }},
    {"EqualNodesDealtRoundRobin", [] { return placed(figure_1(4), 8, "node", "core"); }},
    {"NodesOfFourAndTwo", [] { return placed(machine_from_tree("node:3 pack:2 core:2 pu:1"), 10, "core", "core"); }},
    {"UnevenSwitches", [] { return placed(uneven_switches(), 9, "node", "core"); }},
    {"RanksOnCoresPackagesAndNodesInNoOrder",
     [] { return bound(uneven_switches(), "0 3 0\n1 0 4-7\n2 0 0-7\n3 5 3-4\n4 5 3\n5 4 0-3\n6 0 5\n7 2 0-7\n"); }},
    {"Rr9077Section52", [] { return bound(figure_1(1), kSection52); }},
    {"UnboundOnTwoNodes", [] { return placed(figure_1(2), 6, "node", "none"); }},
    {"Ranks1", [] { return placed(figure_1(2), 1, "node", "core"); }},
    {"Ranks2", [] { return placed(figure_1(2), 2, "node", "core"); }},
};

INSTANTIATE_TEST_SUITE_P(Smpi, Everything, ::testing::Combine(::testing::ValuesIn(kCases), ::testing::Bool()),
                         [](const auto& p) {
                           return std::string(std::get<0>(p.param).name) +
                                  (std::get<1>(p.param) ? "Private" : "Shared");
                         });

TEST(Smpi, AnEnvironmentThatNamesNoMethod) {
  const Ended e =
      run_under_smpi(placed(figure_1(2), 4, "node", "core"),
                     {.program = kProgram, .words = {"environment"}, .environment = {{"MPIX_CART_METHOD", "tidy"}}});
  expect_success(e, 4, 4);
  EXPECT_THAT(e.output,
              ::testing::HasSubstr("strata: MPIX_CART_METHOD: unknown method 'tidy'; give one of auto, cart, "));
}

// At the end SMPI lists every handle that was not freed.
constexpr const char* kLeaks = "Probable memory leaks in your code: SMPI detected";

TEST(Smpi, NothingIsLeftBehind) {
  const Ended e =
      run_under_smpi(placed(figure_1(2), 6, "node", "core"),
                     {.program = kProgram, .words = {"cycles=100"}, .options = {"--cfg=smpi/list-leaks:50"}});
  expect_success(e, 6, 100L * 3);
  EXPECT_THAT(e.output, ::testing::Not(::testing::HasSubstr(kLeaks)));
}

// Shows that the test above can fail.
TEST(Smpi, WhatIsLeftBehindIsListed) {
  const Ended e =
      run_under_smpi(placed(figure_1(2), 6, "node", "core"),
                     {.program = kProgram, .words = {"cycles=1", "leak"}, .options = {"--cfg=smpi/list-leaks:50"}});
  expect_success(e, 6, 3);
  EXPECT_THAT(e.output, ::testing::HasSubstr(kLeaks));
  EXPECT_THAT(e.output, ::testing::HasSubstr("6 leaked handles of type MPI_Comm"));
}

}  // namespace
}  // namespace strata::mpix::testing
