// SPDX-License-Identifier: LGPL-2.1-only
// The same program under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich"): its requests behave as SMPI's
// with Strata's functions.
#include <gtest/gtest.h>

#include <string>

#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

const std::string kMpi = STRATA_TEST_MPI;

TEST(Requests, RealMpi) {
  for (int ranks : {1, 4}) {
    SCOPED_TRACE(ranks);
    expect_success(run_under_mpi(kMpi, ranks, {.program = "requests_mpi_program"}), ranks, 20'000);
  }
}

}  // namespace
}  // namespace strata::mpix::testing
