// SPDX-License-Identifier: LGPL-2.1-only
// What MPI allows and few programs do, with both libraries, and with their errors. Public test suites found these cases
// (docs/native-programs.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;

class CornerCases : public testing::TestWithParam<std::string> {
 protected:
  static Ran run(const Words& arguments) {
    Words words = {"exec", "--machine", "ntw10e5", "-n", "2", "--map-by", "node", "--no-summary", "--"};
    words.push_back(built("tests/native/corner_cases_mpi_program_" + GetParam()));
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_strata(words);
  }
  static void expect_right(const Words& arguments) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "right\n");
  }
};

INSTANTIATE_TEST_SUITE_P(Mpi, CornerCases, testing::Values("openmpi", "mpich"),
                         [](const auto& info) { return info.param; });

TEST_P(CornerCases, ATypeIsFreedBeforeItsMessageArrives) { expect_right({"freed-type"}); }

TEST_P(CornerCases, ReceivesAreFreedAndTheirMessagesComeLater) { expect_right({"freed-receive"}); }

TEST_P(CornerCases, ATestForTheEndOfAnAccessSucceeds) { expect_right({"tested-window"}); }

TEST_P(CornerCases, ACommunicatorIsDuplicatedManyTimesWithoutAMessage) { expect_right({"duplicates"}); }

TEST_P(CornerCases, AWindowWithoutMemoryHasNoBase) { expect_right({"no-memory"}); }

TEST_P(CornerCases, AFileIsWrittenAndReadWithoutBlocking) {
  const TemporaryFolder folder;
  expect_right({"file", folder.path() / "numbers"});
}

TEST_P(CornerCases, AnErrorThatEndsTheProgramIsShown) {
  const Ran ran = run({"invalid-rank"});
  EXPECT_NE(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr(GetParam() == "openmpi" ? "*** An error occurred in MPI_Send"
                                                         : ": Invalid rank, error stack:"));
  EXPECT_THAT(ran.err,
              HasSubstr(GetParam() == "openmpi" ? "*** MPI_ERR_RANK: invalid rank" : "Invalid rank has value 2"));
}

}  // namespace
}  // namespace strata
