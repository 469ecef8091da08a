// SPDX-License-Identifier: LGPL-2.1-only
// Monitoring sessions under SMPI: monitoring_mpi_program with the tap preloaded into the simulator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

const std::string kProgram = "monitoring_mpi_program";

Ended start(const Placed& p, std::vector<std::string> words, std::vector<std::string> options = {},
            bool privatize = false) {
  words.insert(words.begin(), "smpi");
  return run_under_smpi(p, {.program = kProgram,
                            .words = std::move(words),
                            .privatize = privatize,
                            .preload = {preloaded_library("monitoring", "smpi")},
                            .options = std::move(options)});
}

Placed ranks(int number) { return placed(machine_from_tree("node:8 pack:2 core:4 pu:1"), number, "core", "core"); }

TEST(Everything, OneRank) { expect_success(start(ranks(1), {}), 1, 400); }
TEST(Everything, TwoRanks) { expect_success(start(ranks(2), {}), 2, 450); }
TEST(Everything, FiveRanks) { expect_success(start(ranks(5), {}), 5, 450); }
TEST(Everything, EightRanksOfWhichEachHasItsOwnGlobals) { expect_success(start(ranks(8), {}, {}, true), 8, 450); }
TEST(Everything, SixtyFourRanks) { expect_success(start(ranks(64), {}), 64, 450); }

// Every message waits for its receiver.
TEST(Everything, FiveRanksWithoutEagerMessages) {
  expect_success(start(ranks(5), {}, {"--cfg=smpi/async-small-thresh:0", "--cfg=smpi/send-is-detached-thresh:0"}), 5,
                 450);
}

// Listing 1: exactly the messages of the current algorithm, for barriers of mpix.h and of SMPI.
class Listing1 : public ::testing::TestWithParam<int> {};

TEST_P(Listing1, TheBarriersMessages) {
  const std::pair<const char*, const char*> algorithms[] = {
      {"ompi_basic_linear", "linear"}, {"ompi_bruck", "bruck"}, {"ompi_recursivedoubling", "doubling"}};
  for (const auto& [smpi, name] : algorithms) {
    SCOPED_TRACE(smpi);
    const Ended e = start(ranks(GetParam()), {"barriers", std::string("barrier=") + name},
                          {std::string("--cfg=smpi/barrier:") + smpi});
    expect_success(e, GetParam(), 45);
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Listing1, ::testing::Values(2, 3, 4, 6, 7, 8, 16, 33, 64));

TEST(WithoutTheTap, TheFirstCallSaysWhatToDo) {
  const Ended e = run_under_smpi(ranks(2), {.program = kProgram, .words = {"smpi", "barriers"}});
  EXPECT_NE(0, e.exit_code);
  EXPECT_THAT(e.output, ::testing::HasSubstr("strata: MPI_M_init: no provider sees messages here; preload "
                                             "libmpix_monitoring_smpi.so into the simulator, as `strata run` does"));
}

TEST(AnotherProvider, IsNotThere) {
  const Ended e = run_under_smpi(ranks(2), {.program = kProgram,
                                            .words = {"smpi", "barriers"},
                                            .preload = {preloaded_library("monitoring", "smpi")},
                                            .environment = {{"MPI_M_PROVIDER", "pmpi"}}});
  EXPECT_NE(0, e.exit_code);
  EXPECT_THAT(e.output, ::testing::HasSubstr("MPI_M_PROVIDER: unknown provider 'pmpi'; give smpi"));
}

}  // namespace
}  // namespace strata::mpix::testing
