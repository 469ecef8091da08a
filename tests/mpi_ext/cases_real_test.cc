// SPDX-License-Identifier: LGPL-2.1-only
// How the cases of a program are reported that runs under a real MPI, named by STRATA_TEST_MPI.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/mpi_ext/failing_cases.h"
#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

Ended run_cases(const std::vector<std::string>& words, const std::map<std::string, std::string>& environment) {
  return run_under_mpi(STRATA_TEST_MPI, 2,
                       {.program = "cases_mpi_program", .words = words, .environment = environment});
}

TEST(Cases, FailuresHaveTheirCase) { expect_failing_cases(run_cases); }
TEST(Cases, AnAbortHasItsCase) { expect_aborted_case(run_cases); }
TEST(Cases, SomeAreSelected) { expect_selected_cases(run_cases); }

}  // namespace
}  // namespace strata::mpix::testing
