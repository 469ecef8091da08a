// SPDX-License-Identifier: LGPL-2.1-only
// Persistent, freed and cancelled requests under SMPI: requests_mpi_program, which uses only MPI, with limits of eager
// messages at which its messages are all of one kind, or of both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

using ::testing::HasSubstr;

struct Case {
  const char* name;
  int eager_bytes;
  bool privatize;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

class Requests : public ::testing::TestWithParam<Case> {};

TEST_P(Requests, AsTheStandardSays) {
  const std::string limit = std::to_string(GetParam().eager_bytes);
  const Placed p = placed(figure_1(1), 4, "core", "core");
  const Ended e = run_under_smpi(
      p, {.program = "requests_mpi_program",
          .words = GetParam().eager_bytes > 0 ? std::vector<std::string>{"eager"} : std::vector<std::string>(),
          .privatize = GetParam().privatize,
          .preload = {preloaded_library("supply", "smpi")},
          .options = {"--cfg=smpi/async-small-thresh:" + limit, "--cfg=smpi/send-is-detached-thresh:" + limit}});
  expect_success(e, 4, 80'000);
  EXPECT_THAT(e.output, HasSubstr("200000 elements arrived from a rank in MPI_Finalize"));
}

INSTANTIATE_TEST_SUITE_P(Messages, Requests,
                         ::testing::Values(Case{"Both", 4096, false}, Case{"BothPrivate", 4096, true},
                                           Case{"AllWait", 0, false}, Case{"AllEager", 1 << 20, false}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace strata::mpix::testing
