// SPDX-License-Identifier: LGPL-2.1-only
// The nonblocking collectives under SMPI: nonblocking_mpi_program on described machines, with companion ranks as
// progress threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Ended simulate(const Placed& p, const std::vector<std::string>& words, const std::vector<std::string>& options = {}) {
  return run_under_smpi(p, {.program = "nonblocking_mpi_program", .words = words, .options = options});
}

// Ranks are spread, so that cores remain for communication, and have progress threads on these cores.
Placed with_cores(const Machine& machine, int np, const std::string& policy = "numa") {
  return with_threads(placed(machine, np, "spread", "core"), policy);
}

// A node with more cores than any test has ranks.
Machine manycore() { return machine_from_tree("node:1 pack:4 [numa] core:20 pu:1"); }

std::string sizes(int first, int last) {
  std::string word = "sizes=" + std::to_string(first);
  for (int size = first + 1; size <= last; ++size) word += "," + std::to_string(size);
  return word;
}

// All shapes of the tree with all roots.
TEST(Smpi, UpToFiveRanks) { expect_success(simulate(with_cores(figure_1(1), 5), {"cores=3,8"}), 5, 5000); }

TEST(Smpi, SixToNineRanksOnTwoNodes) {
  expect_success(simulate(with_cores(figure_1(2), 9), {"brief", sizes(6, 9)}), 9, 900);
}

TEST(Smpi, TenToEighteenRanksOnThreeNodes) {
  expect_success(simulate(with_cores(figure_1(3), 18), {"brief", sizes(10, 18), "cores=2,8"}), 18, 900);
}

TEST(Smpi, NineteenToFortyRanksOnANode) {
  expect_success(simulate(with_cores(manycore(), 40), {"brief", sizes(19, 40), "cores=40,80"}), 40, 900);
}

TEST(Smpi, FortyOneToSeventyRanksOnANode) {
  expect_success(simulate(with_cores(manycore(), 70), {"brief", sizes(41, 70), "cores=10,80"}), 70, 900);
}

// Eleven ranks leave cores 3, 6, 9, 12 and 15 of 16 free.
TEST(Smpi, EveryPlacement) {
  const std::vector<std::array<std::string, 2>> policies = {
      {"bind", "0"}, {"odd-even", "5"}, {"6", "1"}, {"3,15", "2"}};
  for (const auto& [policy, cores] : policies) {
    const Placed p = with_cores(machine_from_tree("node:1 [numa] core:16 pu:1"), 11, policy);
    expect_success(simulate(p, {"brief", "sizes=4,11", "cores=" + cores + ",16"}), 11, 900);
  }
}

// A message through a shared segment uses another protocol.
TEST(Smpi, TwoCopiesAMessage) {
  Machine machine = figure_1(2);
  machine.stated_copies = machine.copies();
  machine.stated_copies->si = machine.stated_copies->value = 2;
  expect_success(simulate(with_cores(machine, 11), {"brief", "sizes=5,11"}), 11, 500);
}

// Only the application's ranks: collectives make progress in waits and tests.
TEST(Smpi, WithoutProgressThreads) {
  expect_success(simulate(placed(figure_1(2), 9, "node", "core"), {"placement=none", "brief", "cores=0,0"}), 9, 900);
}

// The launcher starts progress threads that the program does not use.
TEST(Smpi, ProgressThreadsThatAreNotWanted) {
  expect_success(simulate(with_cores(figure_1(2), 5), {"placement=none", "brief", "sizes=5", "cores=0,0"}), 5, 500);
}

TEST(Smpi, TheLauncherStartedNoProgressThreads) {
  const Ended e = simulate(placed(figure_1(1), 3, "core", "core"), {"refused=other"});
  expect_success(e, 3, 5);
  EXPECT_THAT(e.output, HasSubstr("strata: the launcher started no progress threads"));
}

TEST(Smpi, WrongArguments) {
  for (const int np : {1, 2, 5}) {
    expect_success(simulate(with_cores(figure_1(1), np), {"sizes=1", "brief", "errors"}), np, 150);
  }
}

TEST(Smpi, RanksThatStartDifferentCollectives) {
  for (const int np : {2, 5}) {
    const Ended e = simulate(with_cores(figure_1(1), np), {"sizes=1", "brief", "mismatch"});
    expect_success(e, np, 50);
    EXPECT_THAT(e.output, HasSubstr("strata: nonblocking collectives do not match: rank 0 has started MPIX_Ibcast of "
                                    "16 B, root 0, rank 1 another"));
  }
}

// At the end SMPI lists every handle that was not freed.
TEST(Smpi, NothingIsLeftBehind) {
  const Ended e =
      simulate(with_cores(figure_1(2), 5), {"brief", "sizes=5", "errors", "mismatch"}, {"--cfg=smpi/list-leaks:50"});
  expect_success(e, 5, 500);
  EXPECT_THAT(e.output, Not(HasSubstr("Probable memory leaks in your code")));
}

}  // namespace
}  // namespace strata::mpix::testing
