// SPDX-License-Identifier: LGPL-2.1-only
// The same program under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich").
#include <gtest/gtest.h>

#include <string>

#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

const std::string kMpi = STRATA_TEST_MPI;

TEST(Epochs, RealMpi) {
  for (const int ranks : {1, 4}) {
    SCOPED_TRACE(ranks);
    expect_success(run_under_mpi(kMpi, ranks, {.program = "epochs_mpi_program"}), ranks, 50);
  }
}

}  // namespace
}  // namespace strata::mpix::testing
