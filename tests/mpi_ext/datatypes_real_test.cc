// SPDX-License-Identifier: LGPL-2.1-only
// The same program under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich"): its slow definition of datatypes
// is theirs.
#include <gtest/gtest.h>

#include <string>

#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

const std::string kMpi = STRATA_TEST_MPI;

TEST(Datatypes, RealMpi) {
  for (int ranks : {1, 3}) {
    SCOPED_TRACE(ranks);
    expect_success(run_under_mpi(kMpi, ranks, {.program = "datatypes_mpi_program", .words = {"seed=1", "rounds=60"}}),
                   ranks, 2000);
  }
}

}  // namespace
}  // namespace strata::mpix::testing
