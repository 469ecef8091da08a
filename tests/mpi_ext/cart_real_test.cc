// SPDX-License-Identifier: LGPL-2.1-only
// Cartesian communicators under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich"): cart_mpi_program on
// described machines that are larger than this one. Also compares MPI's own functions on the results, including
// neighbourhood collectives; both MPIs are right if both neighbours in a dimension are the same process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/launcher/simulation.h"
#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

const std::string kMpi = STRATA_TEST_MPI;
const std::string kProgram = "cart_mpi_program";

void expect_everything(const Placed& p) {
  const int ranks = static_cast<int>(p.ranks.size());
  expect_success(run_under_mpi(kMpi, p, ranks, {.program = kProgram, .words = {"real"}}), ranks, 100);
}

TEST(Virtual, FourRanksOnTwoNodes) { expect_everything(placed(figure_1(2), 4, "node", "core")); }

TEST(Virtual, FiveRanksOnUnequalNodes) {
  expect_everything(placed(machine_from_tree("node:2 pack:3 core:1 pu:1"), 5, "core", "core"));
}

TEST(Virtual, OneRank) { expect_everything(placed(figure_1(1), 1, "core", "core")); }

// Like on nodes of a real cluster, each rank knows only its own node: the ranks read two files.
TEST(Virtual, RanksThatKnowOnlyTheirOwnNodes) {
  const sim::ScratchFolder first, second;
  const std::string a = write_placement(bound(figure_1(1), "0 0 0\n1 0 4\n2 0 1\n3 0 5\n"), first.path());
  const std::string b = write_placement(bound(figure_1(1), "0 0 0\n1 0 0\n2 0 4\n3 0 0-7\n"), second.path());
  std::vector<std::string> variables;
  for (int r = 0; r < 4; ++r) variables.push_back("STRATA_PLACEMENT=" + (r < 2 ? a : b));
  expect_success(run_under_mpi(kMpi, 4, {.program = kProgram, .words = {"real", "strangers"}, .variables = variables}),
                 4, 50);
}

// MPICH has 2,048 context ids, so 2,100 cycles fail if each leaves a communicator.
TEST(Virtual, ThousandsOfCommunicators) {
  expect_success(
      run_under_mpi(kMpi, placed(figure_1(1), 2, "core", "core"), 2, {.program = kProgram, .words = {"cycles=2100"}}),
      2, 2100L * 3);
}

}  // namespace
}  // namespace strata::mpix::testing
