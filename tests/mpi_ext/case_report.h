// SPDX-License-Identifier: LGPL-2.1-only
// The cases of an MPI program, in the report of the test that runs it. From the output
//
//   [begins] bcast, 3 ranks
//   tests/mpi_ext/collectives/bcast.cc:50: rank 2: [bcast, 3 ranks] buffer.touched(): expected 0, got 4
//   [ended] bcast, 3 ranks: 812 checks, 1 failures
//
// the test's report gets a test case "bcast, 3 ranks" with this failure, in a suite with the name of the GoogleTest
// that ran the program. checks.h prints these lines.
#pragma once

#include <string>
#include <vector>

namespace strata::mpix::testing {

struct CaseResult {
  std::string name;  // empty: checks outside of all cases
  long checks = 0, failures = 0;
  std::vector<std::string> lines = {};    // the first failures
  bool is_last_of_ended_program = false;  // it was running when the program ended without its sums

  bool operator==(const CaseResult&) const = default;
};

/// The cases in a program's output, in the order in which they begin. If the sums are missing, because the program did
/// not end as it should, `checks` is 0 and `failures` counts the lines.
std::vector<CaseResult> cases_of(const std::string& output);

/// "bcast, 3 ranks: 1 of 812 checks failed" and the failures; empty without failures.
std::string failure_of(const CaseResult& result);

/// `xml`, a report of GoogleTest, with a further suite of these cases.
std::string with_cases(const std::string& xml, const std::string& suite, const std::vector<CaseResult>& cases);

/// Fails the current GoogleTest for each case that failed, and adds all cases to the file that Bazel names in
/// XML_OUTPUT_FILE.
void report_cases(const std::vector<CaseResult>& cases);

}  // namespace strata::mpix::testing
