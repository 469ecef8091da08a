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
  static Ran run(const Words& arguments, const Words& options = {}, const Words& prefix = {}) {
    Words words = {"exec", "--machine", "ntw10e5", "-n", "2", "--map-by", "node", "--no-summary"};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    words.insert(words.end(), prefix.begin(), prefix.end());
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

// Each MPI_Win_flush_all of MPICH looks for messages once in a while, finds none, and does not wait.
TEST_P(CornerCases, ARankReadsItsOwnWindowOften) { expect_right({"own-window"}); }

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

// --- a rank ends early ---

TEST_P(CornerCases, ARankLeavesWithoutFinalize) {
  const Ran well = run({"leave", "0"});
  EXPECT_EQ(well.code, 3);
  EXPECT_THAT(well.err, HasSubstr("rank 1 exited without MPI_Finalize"));
  const Ran badly = run({"leave", "5"});
  EXPECT_EQ(badly.code, 5);
  EXPECT_EQ(lines_of(badly.err).size(), 1) << badly.err;
  EXPECT_THAT(badly.err, HasSubstr("rank 1 called exit with 5"));
}

// The line is about the rank that left, and not about the access to its memory that failed for this reason.
TEST_P(CornerCases, ARankLeavesWhoseMemoryAnotherReads) {
  for (int i = 0; i < 3; ++i) {
    const Ran ran = run({"leave-access", "5"});
    EXPECT_EQ(ran.code, 5);
    EXPECT_EQ(lines_of(ran.err).size(), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("rank 1 called exit with 5"));
  }
}

TEST_P(CornerCases, ASignalBeforeInit) {
  const Ran ran = run({"signal"});  // with MPICH, UCX's libucs also prints a backtrace
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("rank 1 was ended by signal 11 (Segmentation fault) before MPI_Init"));
}

TEST_P(CornerCases, ALimitNamesARankThatHasNotCalledInit) {
  const Ran ran = run({"absent"}, {"--limit", "4"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(lines_of(ran.err).size(), 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("the time limit; rank 1 has not called MPI_Init"));
}

// --- processes of ranks ---

TEST_P(CornerCases, AForkedProcessMayRunAProgram) { expect_right({"fork-exec"}); }

TEST_P(CornerCases, AForkedProcessMayNotCallMpi) {
  const Ran ran = run({"fork-mpi"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(lines_of(ran.err).size(), 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("rank 1 calls MPI_Barrier in a process that it has forked; only the process that "
                                 "called MPI_Init may do so"));
}

TEST_P(CornerCases, OtherProgramsMayStartTheProgram) {
  const TemporaryFolder folder;
  const std::string script = folder.write("run.sh", "#!/bin/sh\n\"$@\"\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  for (const Words& prefix : {Words{"timeout", "100"}, Words{"nice"}, Words{"env", "A=b"}, Words{script}}) {
    const Ran ran = run({"duplicates"}, {}, prefix);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "right\n") << prefix.front();
  }
}

// --- refused ---

TEST(Refused, ATransportThatIsNotOurs) {
  const std::string program = built("tests/native/corner_cases_mpi_program_openmpi");
  const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "-x", "OMPI_MCA_pml=ob1", "--", program});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "strata: OMPI_MCA_pml=ob1: messages would not go through the simulated network; unset it, or set "
            "it to ucx\n");
}

TEST(Refused, MoreRanksThanMemory) {
  const std::string program = built("tests/native/corner_cases_mpi_program_mpich");
  const Ran ran = run_strata({"exec", "--machine", "theta", "-n", "2000000", "--oversubscribe", "--", program});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(lines_of(ran.err).size(), 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("-n 2000000: the ranks of MPICH need about "));
  EXPECT_THAT(ran.err, HasSubstr(" are available here; give at most -n "));
}

}  // namespace
}  // namespace strata
