// Progress threads under a real MPI, which STRATA_TEST_MPI names ("openmpi" or "mpich"): progress_mpi_program, on this
// machine, whose cores the ranks share with their threads, and on a described one.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace strata::mpix::testing
