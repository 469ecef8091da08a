// SPDX-License-Identifier: LGPL-2.1-only
// The collectives under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich"): collectives_mpi_program on a
// described machine that is larger than this one. There are few ranks and messages, because MPICH's ranks poll, and
// share one or two cores.
#include <gtest/gtest.h>

#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

TEST(Virtual, FourRanksDealtOverTwoNodes) {
  expect_success(
      run_under_mpi(STRATA_TEST_MPI, placed(figure_1(2), 4, "node", "core"), 4,
                    {.program = "collectives_mpi_program", .words = {"real", "brief", "sizes=1,4", "errors"}}),
      4, 2000);
}

TEST(Virtual, GroupsOfFourRanks) {
  expect_success(
      run_under_mpi(STRATA_TEST_MPI, placed(figure_1(2), 4, "node", "core"), 4,
                    {.program = "collectives_mpi_program", .words = {"real", "brief", "groups=2x2", "groups=1x4"}}),
      4, 2000);
}

}  // namespace
}  // namespace strata::mpix::testing
