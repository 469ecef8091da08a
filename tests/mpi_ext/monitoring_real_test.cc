// SPDX-License-Identifier: LGPL-2.1-only
// Monitoring sessions under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich"): monitoring_mpi_program with
// the tap preloaded, and with Open MPI's own monitoring component.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

const std::string kMpi = STRATA_TEST_MPI;
const std::string kProgram = "monitoring_mpi_program";

Ended over_tap(int ranks) {
  // Preloaded into the ranks, not into mpirun.
  const std::vector<std::string> variables(ranks, "LD_PRELOAD=" + preloaded_library("monitoring", kMpi));
  return run_under_mpi(kMpi, ranks, {.program = kProgram, .words = {"pmpi"}, .variables = variables});
}

TEST(Tap, OneRank) { expect_success(over_tap(1), 1, 400); }
TEST(Tap, FourRanks) { expect_success(over_tap(4), 4, 450); }

TEST(OpenMpi, ItsOwnMonitoring) {
  if (kMpi != "openmpi") GTEST_SKIP() << "Open MPI's";
  expect_success(
      run_under_mpi(
          kMpi, 4,
          {.program = kProgram, .words = {"openmpi"}, .environment = {{"OMPI_MCA_pml_monitoring_enable", "1"}}}),
      4, 450);
}

TEST(WithoutAProvider, TheFirstCallSaysWhatToDo) {
  const Ended e = run_under_mpi(kMpi, 1, {.program = kProgram, .words = {"pmpi", "barriers"}});
  EXPECT_NE(0, e.exit_code);
  EXPECT_THAT(e.output,
              ::testing::HasSubstr("strata: MPI_M_init: no provider sees messages here; under Open MPI use `mpirun "
                                   "--mca pml_monitoring_enable 1`, or link the program with "));
}

}  // namespace
}  // namespace strata::mpix::testing
