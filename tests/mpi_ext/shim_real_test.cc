// SPDX-License-Identifier: LGPL-2.1-only
// The shim under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich"): shim_mpi_program, which is not built for
// it, on described nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

using ::testing::HasSubstr;

const std::string kMpi = STRATA_TEST_MPI;

// Preloaded into the ranks, not into mpirun.
Ended start(const Placed& p, const std::string& word, const std::string& method = "") {
  const int ranks = static_cast<int>(p.ranks.size());
  std::vector<std::string> variables(ranks, "LD_PRELOAD=" + shim_of(kMpi));
  Started s{.program = "shim_mpi_program", .words = {nodes_word(p), word, "few"}, .variables = variables};
  if (!method.empty()) s.environment["MPIX_CART_METHOD"] = method;
  return run_under_mpi(kMpi, p, ranks, std::move(s));
}

TEST(Shim, EqualNodes) { expect_success(start(two_nodes(), "auto"), 8, 500); }

TEST(Shim, UnevenNodes) { expect_success(start(uneven_nodes(), "auto"), 10, 500); }

TEST(Shim, Methods) {
  for (const char* method : {"cart", "nodecart"}) {
    SCOPED_TRACE(method);
    expect_success(start(two_nodes(), method, method), 8, 300);
  }
}

TEST(Shim, NoSuchMethod) {
  const Ended e = start(two_nodes(), "wrong", "nodekart");
  expect_success(e, 8, 3);
  EXPECT_THAT(e.output, HasSubstr("nodekart"));
}

}  // namespace
}  // namespace strata::mpix::testing
