// SPDX-License-Identifier: LGPL-2.1-only
// The tap under SMPI: tap_mpi_program with the tap preloaded into the simulator.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

Placed four_ranks() { return placed(machine_from_tree("node:2 core:2 pu:1"), 4, "core", "core"); }

Ended start(std::vector<std::string> options, std::vector<std::string> words = {}) {
  return run_under_smpi(four_ranks(), {.program = "tap_mpi_program",
                                       .words = std::move(words),
                                       .preload = {preloaded_library("monitoring", "smpi")},
                                       .options = std::move(options)});
}

TEST(Tap, EveryOperation) { expect_success(start({}), 4, 1); }

// Includes algorithms that Strata does not use; broadcasts of the last selector have ordinary tags.
TEST(Tap, EveryOperationWithOtherAlgorithms) {
  for (const char* selector : {"default", "mpich", "mvapich2", "impi"}) {
    SCOPED_TRACE(selector);
    expect_success(start({std::string("--cfg=smpi/coll-selector:") + selector}), 4, 1);
  }
  expect_success(start({"--cfg=smpi/coll-selector:default", "--cfg=smpi/bcast:arrival_pattern_aware"}), 4, 1);
}

TEST(Tap, CollectivesAsWhatTheyAreMadeOf) {
  expect_success(start({"--cfg=smpi/bcast:binomial_tree", "--cfg=smpi/barrier:ompi_recursivedoubling",
                        "--cfg=smpi/allreduce:rdb", "--cfg=smpi/alltoall:basic_linear"},
                       {"decomposed"}),
                 4, 1);
}

// Messages that wait for their receiver are also reported once.
TEST(Tap, Rendezvous) {
  expect_success(start({"--cfg=smpi/async-small-thresh:0", "--cfg=smpi/send-is-detached-thresh:0"}), 4, 1);
}

// Without the tap, the program's checks fail.
TEST(WithoutTheTap, ChecksFail) {
  const Ended e = run_under_smpi(four_ranks(), {.program = "tap_mpi_program"});
  EXPECT_NE(e.exit_code, 0);
  EXPECT_EQ(verdict_of(e.output).failures, 4) << e.output;
}

}  // namespace
}  // namespace strata::mpix::testing
