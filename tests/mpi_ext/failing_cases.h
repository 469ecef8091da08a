// SPDX-License-Identifier: LGPL-2.1-only
// The reported cases of cases_mpi_program on two ranks, the same for every MPI.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/mpi_ext/case_report.h"
#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {

/// Runs the program with a word and an environment.
using RunCases = std::function<Ended(const std::vector<std::string>&, const std::map<std::string, std::string>&)>;

inline void expect_failing_cases(const RunCases& run) {
  const Ended e = run({}, {});
  EXPECT_NE(e.exit_code, 0);
  EXPECT_EQ(verdict_of(e.output).failures, 41) << e.output;
  const std::vector<CaseResult> cases = cases_of(e.output);
  ASSERT_EQ(cases.size(), 4u) << e.output;
  EXPECT_EQ(cases[0], (CaseResult{.name = "right", .checks = 6}));
  EXPECT_EQ(cases[1].name, "wrong on rank 1");
  EXPECT_EQ(cases[1].checks, 4);
  EXPECT_EQ(cases[1].failures, 1);
  ASSERT_EQ(cases[1].lines.size(), 1u);
  EXPECT_THAT(cases[1].lines[0],
              ::testing::HasSubstr("rank 1: [wrong on rank 1] me == 1 ? 51 : 50: expected 50, got 51"));
  EXPECT_EQ(cases[2].failures, 40);
  EXPECT_EQ(cases[2].lines.size(), 20u) << "the first ten of each rank";
  EXPECT_EQ(cases[3], (CaseResult{.name = "", .checks = 2 + 1})) << "with the case that rank 0 does not run";
}

inline void expect_aborted_case(const RunCases& run) {
  const Ended e = run({"abort"}, {});
  EXPECT_EQ(verdict_of(e.output).ranks, -1) << "SMPI's exit code is 0";
  const std::vector<CaseResult> cases = cases_of(e.output);
  ASSERT_EQ(cases.size(), 3u) << e.output;
  EXPECT_EQ(failure_of(cases[0]), "") << e.output;
  EXPECT_EQ(cases[1].failures, 1);
  EXPECT_THAT(failure_of(cases[2]), ::testing::StartsWith("often wrong: the program ended in this case\n"));
}

inline void expect_selected_cases(const RunCases& run) {
  const Ended e = run({}, {{"STRATA_CASES", "only*:rig?t"}});
  EXPECT_EQ(e.exit_code, 0) << e.output;
  const std::vector<CaseResult> cases = cases_of(e.output);
  ASSERT_EQ(cases.size(), 2u) << e.output;
  EXPECT_EQ(cases[0], (CaseResult{.name = "right", .checks = 6}));
  EXPECT_EQ(cases[1], (CaseResult{.name = "", .checks = 3}));
}

}  // namespace strata::mpix::testing
