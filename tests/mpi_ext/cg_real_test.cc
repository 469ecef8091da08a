// SPDX-License-Identifier: LGPL-2.1-only
// The catalog's program cg under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich"): its result on grids of up
// to 16 processes, and on communicators whose ranks are reordered by the messages of its first step. The program itself
// compares zeta with the published value. MPICH's processes wait actively: 8 of them take half a minute on two cores.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

const std::string kMpi = STRATA_TEST_MPI;

void expect_zeta(const Ended& e, const std::string& digits) {
  EXPECT_EQ(e.exit_code, 0) << e.output;
  EXPECT_NE(e.output.find("\"metric\":\"zeta\",\"value\":" + digits), std::string::npos) << e.output;
}

Started cg(std::vector<std::string> words) { return {.program = "scenarios/programs/cg", .words = std::move(words)}; }

std::vector<int> grids() { return kMpi == "mpich" ? std::vector<int>{1, 2, 4} : std::vector<int>{1, 2, 4, 8, 16}; }

TEST(Cg, HasThePublishedZetaOnEveryGrid) {
  for (const int ranks : grids()) {
    expect_zeta(run_under_mpi(kMpi, ranks, cg({"--class", "S"})), "8.5971775078");
  }
  expect_zeta(run_under_mpi(kMpi, 4, cg({"--class", "W"})), "10.3625950871");
}

// If ranks alternate between nodes of two cores, ranks 0 and 1 of the four, which communicate most, are on different
// nodes.
TEST(Cg, IsRightAfterReordering) {
  const Placed p = placed(machine_from_tree("node:2 core:2 pu:1"), 4, "node", "core");
  const Ended e = run_under_mpi(kMpi, p, 4, cg({"--class", "S", "--reorder", "on"}));
  expect_zeta(e, "8.5971775078");
  EXPECT_NE(e.output.find("\"metric\":\"moved\""), std::string::npos) << e.output;
  EXPECT_EQ(e.output.find("\"metric\":\"moved\",\"value\":0,"), std::string::npos) << e.output;
}

}  // namespace
}  // namespace strata::mpix::testing
