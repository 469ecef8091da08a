// SPDX-License-Identifier: LGPL-2.1-only
// Random datatypes under SMPI with Strata's functions: datatypes_mpi_program, which uses only MPI.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

Ended start(const Placed& p, int seed, bool privatize) {
  return run_under_smpi(p, {.program = "datatypes_mpi_program",
                            .words = {"seed=" + std::to_string(seed), "rounds=100"},
                            .privatize = privatize,
                            .preload = {preloaded_library("supply", "smpi")}});
}

TEST(Datatypes, AnyNumberOfRanks) {
  for (int ranks : {1, 2, 4}) {
    SCOPED_TRACE(ranks);
    const Placed p = placed(machine_from_tree("node:2 core:4 pu:1"), ranks, "core", "core");
    expect_success(start(p, 1000 * ranks, ranks % 2 == 0), ranks, 5000);
  }
}

}  // namespace
}  // namespace strata::mpix::testing
