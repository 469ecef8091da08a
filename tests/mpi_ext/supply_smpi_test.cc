// SPDX-License-Identifier: LGPL-2.1-only
// The functions that Strata supplies under SMPI: supply_mpi_program, which uses only MPI, with globals that are shared
// by the ranks or privatised.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

using ::testing::HasSubstr;

std::string supply() { return preloaded_library("supply", "smpi"); }

Ended start(const Placed& p, const std::vector<std::string>& preload, bool privatize) {
  return run_under_smpi(
      p, {.program = "supply_mpi_program", .words = {nodes_word(p)}, .privatize = privatize, .preload = preload});
}

class Supply : public ::testing::TestWithParam<bool> {};

TEST_P(Supply, EqualNodes) { expect_success(start(three_nodes(), {supply()}, GetParam()), 12, 500); }

TEST_P(Supply, UnevenNodes) { expect_success(start(uneven_nodes(), {supply()}, GetParam()), 10, 500); }

TEST_P(Supply, WithTheTapAndTheShim) {
  const std::vector<std::string> all = {preloaded_library("monitoring", "smpi"), supply(), shim_of("smpi")};
  expect_success(start(three_nodes(), all, GetParam()), 12, 500);
}

INSTANTIATE_TEST_SUITE_P(Globals, Supply, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Private" : "Shared"; });

// If both are preloaded, the shim's own program gets its meshes.
TEST(TheShim, WorksBehindIt) {
  const Placed p = three_nodes();
  expect_success(
      run_under_smpi(
          p, {.program = "shim_mpi_program", .words = {nodes_word(p), "auto"}, .preload = {supply(), shim_of("smpi")}}),
      12, 2000);
}

TEST(WithoutIt, TheProgramAborts) {
  const Ended e = start(three_nodes(), {}, false);
  EXPECT_NE(e.exit_code, 0);
  EXPECT_THAT(e.output, HasSubstr("Not yet implemented"));
}

}  // namespace
}  // namespace strata::mpix::testing
