// SPDX-License-Identifier: LGPL-2.1-only
// The ends of access epochs under SMPI with Strata's functions: epochs_mpi_program, which uses only MPI.
#include <gtest/gtest.h>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

TEST(Epochs, CompleteGets) {
  for (const int ranks : {1, 4}) {
    SCOPED_TRACE(ranks);
    const Placed p = placed(figure_1(1), ranks, "core", "core");
    expect_success(
        run_under_smpi(p, {.program = "epochs_mpi_program", .preload = {preloaded_library("supply", "smpi")}}), ranks,
        50);
  }
}

}  // namespace
}  // namespace strata::mpix::testing
