// SPDX-License-Identifier: LGPL-2.1-only
// The tap under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich"): tap_mpi_program with the tap preloaded,
// and linked with it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

const std::string kMpi = STRATA_TEST_MPI;
constexpr int kRanks = 4;

TEST(Tap, Preloaded) {
  // Preloaded into the ranks, not into mpirun.
  const std::vector<std::string> variables(kRanks, "LD_PRELOAD=" + preloaded_library("monitoring", kMpi));
  expect_success(run_under_mpi(kMpi, kRanks, {.program = "tap_mpi_program", .variables = variables}), kRanks, 1);
}

TEST(Tap, Linked) { expect_success(run_under_mpi(kMpi, kRanks, {.program = "tap_linked_mpi_program"}), kRanks, 1); }

}  // namespace
}  // namespace strata::mpix::testing
