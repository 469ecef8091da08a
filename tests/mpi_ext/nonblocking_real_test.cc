// SPDX-License-Identifier: LGPL-2.1-only
// The nonblocking collectives under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich"), with real progress
// threads: nonblocking_mpi_program on a described machine that is larger than this one, and on this one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

using ::testing::HasSubstr;

Ended run_program(int ranks, const std::vector<std::string>& words) {
  return run_under_mpi(STRATA_TEST_MPI, placed(figure_1(2), ranks, "spread", "core"), ranks,
                       {.program = "nonblocking_mpi_program", .words = words});
}

// All shapes of the tree with all roots and datatypes.
TEST(Virtual, ThreeRanks) { expect_success(run_program(3, {"real", "sizes=1,3"}), 3, 9000); }

TEST(Virtual, FourRanksOnTwoNodes) {
  expect_success(run_program(4, {"real", "brief", "sizes=4", "errors", "mismatch", "cores=2,8"}), 4, 900);
}

// MPICH's ranks poll, so more ranks take minutes.
TEST(Virtual, MoreRanksThanCores) {
  const int ranks = std::string(STRATA_TEST_MPI) == "openmpi" ? 12 : 6;
  expect_success(run_program(ranks, {"real", "brief", "sizes=5," + std::to_string(ranks)}), ranks, 900);
}

TEST(Virtual, EveryPlacement) {
  for (const char* policy : {"bind", "odd-even", "3"}) {
    expect_success(run_program(3, {"real", "brief", "sizes=3", std::string("placement=") + policy}), 3, 500);
  }
}

TEST(Virtual, WithoutProgressThreads) {
  expect_success(run_program(4, {"real", "brief", "sizes=4", "placement=none", "errors"}), 4, 500);
}

TEST(Virtual, RefusedPlacements) {
  for (const char* placement : {"placement=somewhere", "placement=77", "placement=0"}) {
    expect_success(run_program(2, {placement, "refused=info"}), 2, 5);
  }
}

TEST(Virtual, RefusedWithoutThreadMultiple) {
  const Ended e = run_program(2, {"single", "refused=other"});
  expect_success(e, 2, 5);
  EXPECT_THAT(e.output, HasSubstr("MPI was not initialised with MPI_THREAD_MULTIPLE"));
}

// This machine as hwloc sees it, with bound threads.
TEST(Live, FourRanks) {
  expect_success(
      run_under_mpi(STRATA_TEST_MPI, 4,
                    {.program = "nonblocking_mpi_program", .words = {"real", "brief", "sizes=4", "placement=bind"}}),
      4, 500);
}

}  // namespace
}  // namespace strata::mpix::testing
