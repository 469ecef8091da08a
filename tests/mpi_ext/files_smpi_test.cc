// SPDX-License-Identifier: LGPL-2.1-only
// Files under SMPI: files_mpi_program, which uses only MPI, with Strata's functions preloaded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

std::string supply() { return preloaded_library("supply", "smpi"); }

Ended start(const Placed& p, const std::vector<std::string>& preload, bool privatize) {
  return run_under_smpi(p, {.program = "files_mpi_program", .privatize = privatize, .preload = preload});
}

class Files : public ::testing::TestWithParam<bool> {};

TEST_P(Files, EqualNodes) { expect_success(start(three_nodes(), {supply()}, GetParam()), 12, 200); }

TEST_P(Files, WithTheTapAndTheShim) {
  const std::vector<std::string> all = {preloaded_library("monitoring", "smpi"), supply(), shim_of("smpi")};
  expect_success(start(uneven_nodes(), all, GetParam()), 10, 200);
}

INSTANTIATE_TEST_SUITE_P(Globals, Files, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Private" : "Shared"; });

// SMPI's own functions need a disk.
TEST(WithoutThem, TheProgramAborts) { EXPECT_NE(start(three_nodes(), {}, false).exit_code, 0); }

}  // namespace
}  // namespace strata::mpix::testing
