// SPDX-License-Identifier: LGPL-2.1-only
// The shim under SMPI, preloaded into the simulator: shim_mpi_program, which is not built for it, with globals that are
// shared by the ranks or privatised.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

using ::testing::HasSubstr;

class Shim : public ::testing::TestWithParam<bool> {
 protected:
  // `method`: MPIX_CART_METHOD; empty: not set.
  static Ended start(const Placed& p, const std::vector<std::string>& words, const std::string& method = "") {
    Simulated s = {
        .program = "shim_mpi_program", .words = {nodes_word(p)}, .privatize = GetParam(), .preload = {shim_of("smpi")}};
    s.words.insert(s.words.end(), words.begin(), words.end());
    if (!method.empty()) s.environment = {{"MPIX_CART_METHOD", method}};
    return run_under_smpi(p, s);
  }
};

TEST_P(Shim, EqualNodes) { expect_success(start(three_nodes(), {"auto"}), 12, 2000); }

TEST_P(Shim, UnevenNodes) { expect_success(start(uneven_nodes(), {"auto"}), 10, 2000); }

TEST_P(Shim, EveryMethod) {
  for (const char* method : {"cart", "nodecart", "multilevel", "blocks", "hyperplane", "kdtree", "strips"}) {
    SCOPED_TRACE(method);
    expect_success(start(three_nodes(), {method, "few"}, method), 12, 500);
  }
}

TEST_P(Shim, NoSuchMethod) {
  const Ended e = start(three_nodes(), {"wrong"}, "nodekart");
  expect_success(e, 12, 3);
  EXPECT_THAT(e.output, HasSubstr("nodekart"));
}

INSTANTIATE_TEST_SUITE_P(Globals, Shim, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Private" : "Shared"; });

// Without the shim, the same program's checks fail.
TEST(WithoutTheShim, ChecksFail) {
  const Placed p = three_nodes();
  const Ended e = run_under_smpi(p, {.program = "shim_mpi_program", .words = {nodes_word(p), "auto"}});
  EXPECT_NE(e.exit_code, 0);
  EXPECT_THAT(e.output, HasSubstr("MPI_Cart_create(comm, 1, negative.data(), open.data(), 1, &made): expected"));
}

}  // namespace
}  // namespace strata::mpix::testing
