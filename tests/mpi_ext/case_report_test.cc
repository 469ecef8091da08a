// SPDX-License-Identifier: LGPL-2.1-only
// The cases of a program in a test's report: of a program that ends, of one that does not, and as XML.
#include "tests/mpi_ext/case_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace strata::mpix::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kFailure = "tests/a.cc:50: rank 2: [b, 3 ranks] f(x)[1]: expected [0 1], got [0 2]";

std::string output_of(const std::string& sums) {
  return std::string("words of the MPI\n[begins] a\n[begins] b, 3 ranks\n") + kFailure + "\n" + sums;
}

TEST(CaseReport, AProgramThatEnds) {
  const std::vector<CaseResult> cases = cases_of(
      output_of("[ended] : 4 checks, 0 failures\n[ended] a: 30 checks, 0 failures\n[ended] b, 3 ranks: 812 checks, 1 "
                "failures\n3 ranks, 846 checks, at least 280 a rank, 1 failures\n"));
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0], (CaseResult{.name = "a", .checks = 30}));
  EXPECT_EQ(cases[1], (CaseResult{.name = "b, 3 ranks", .checks = 812, .failures = 1, .lines = {kFailure}}));
  EXPECT_EQ(cases[2], (CaseResult{.name = "", .checks = 4}));
  EXPECT_EQ(failure_of(cases[0]), "");
  EXPECT_EQ(failure_of(cases[1]), std::string("b, 3 ranks: 1 of 812 checks failed\n") + kFailure);
}

TEST(CaseReport, AProgramThatDoesNotReachItsEnd) {
  const std::vector<CaseResult> cases = cases_of(output_of("[begins] c\n*** an abort\n"));
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(failure_of(cases[0]), "") << "it had no failure until then";
  EXPECT_EQ(failure_of(cases[1]), std::string("b, 3 ranks: 1 checks failed\n") + kFailure);
  EXPECT_EQ(failure_of(cases[2]), "c: the program ended in this case");
}

// An MPI has a pipe for stdout and another for stderr.
TEST(CaseReport, FailuresThatComeBeforeTheirCase) {
  const std::vector<CaseResult> cases = cases_of(std::string(kFailure) + "\n[begins] a\n[begins] b, 3 ranks\n");
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].name, "a");
  EXPECT_EQ(failure_of(cases[1]), std::string("b, 3 ranks: the program ended in this case\n") + kFailure);
}

TEST(CaseReport, AProgramWithoutCases) {
  EXPECT_THAT(cases_of("4 ranks, 7 checks, at least 1 a rank, 0 failures\n"), IsEmpty());
  EXPECT_THAT(cases_of("a.cc:3: rank 1 [b] text\n[info] rank 1: [b\n"), IsEmpty());
}

TEST(CaseReport, ATestCaseForEach) {
  const std::string xml =
      "<testsuites tests=\"1\" failures=\"0\" name=\"AllTests\">\n  <testsuite "
      "name=\"S\"></testsuite>\n</testsuites>\n";
  const std::string with = with_cases(
      xml, "S.T", {{.name = "a<b", .checks = 3}, {.name = "c", .checks = 5, .failures = 2, .lines = {"x \"y\""}}});
  EXPECT_THAT(with, HasSubstr("</testsuite>\n  <testsuite name=\"S.T\" tests=\"2\" failures=\"1\""));
  EXPECT_THAT(with, HasSubstr("<testcase name=\"a&lt;b\" status=\"run\" result=\"completed\" time=\"0\" "
                              "classname=\"S.T\" />\n"));
  EXPECT_THAT(with, HasSubstr("<testcase name=\"c\" status=\"run\" result=\"completed\" time=\"0\" classname=\"S.T\">\n"
                              "      <failure message=\"c: 2 of 5 checks failed&#x0A;x &quot;y&quot;\" type=\"\">"));
  EXPECT_EQ(with_cases(xml, "S.T", {}), xml);
  EXPECT_EQ(with_cases("not a report", "S.T", {{.name = "a"}}), "not a report");
}

}  // namespace
}  // namespace strata::mpix::testing
