// SPDX-License-Identifier: LGPL-2.1-only
// Progress threads under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich"): progress_mpi_program on this
// machine, whose cores ranks share with their threads, and on a described machine.
#include <gtest/gtest.h>
#include <sched.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

TEST(Live, ThreeRanks) {
  expect_success(run_under_mpi(STRATA_TEST_MPI, 3, {.program = "progress_mpi_program", .words = {"sessions", "order"}}),
                 3, 30);
}

TEST(Virtual, FourRanksOnTwoNodes) {
  expect_success(run_under_mpi(STRATA_TEST_MPI, placed(figure_1(2), 4, "spread", "core"), 4,
                               {.program = "progress_mpi_program", .words = {"sessions", "order"}}),
                 4, 30);
}

Ended run_here(int ranks, const std::vector<std::string>& words) {
  return run_under_mpi(STRATA_TEST_MPI, ranks, {.program = "progress_mpi_program", .words = words});
}

TEST(Virtual, TreeOverNodes) {
  const Placed p = placed(figure_1(2), 4, "node", "core");
  expect_success(run_under_mpi(STRATA_TEST_MPI, p, 4, {.program = "progress_mpi_program", .words = {nodes_word(p)}}), 4,
                 50);
}

TEST(Live, TwoThreadsUseTheirOwnCommunicators) { expect_success(run_here(3, {"threads"}), 3, 200); }

TEST(Live, FourThreadsUseCommunicatorsForTheFirstTime) { expect_success(run_here(3, {"first-uses"}), 3, 20); }

TEST(Live, OneRankAloneHasAThread) { expect_success(run_here(3, {"partly"}), 3, 5); }

TEST(Live, AThreadOnTheRanksCore) { expect_success(run_here(1, {"bound=bind"}), 1, 5); }

TEST(Live, AThreadOnASpareCore) {
  cpu_set_t pus;
  ASSERT_EQ(::sched_getaffinity(0, sizeof pus, &pus), 0);
  if (CPU_COUNT(&pus) < 2) GTEST_SKIP() << "this machine has one PU: there is no core beside the rank's";
  expect_success(run_here(1, {"bound=numa"}), 1, 5);
}

}  // namespace
}  // namespace strata::mpix::testing
