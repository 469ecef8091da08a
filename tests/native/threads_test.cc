// SPDX-License-Identifier: LGPL-2.1-only
// Threads that call MPI, with both libraries: runs are the same however the kernel schedules them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Threads : public testing::TestWithParam<std::string> {
 protected:
  static Ran run(const std::string& what) {
    return run_strata({"exec", "--machine", "ntw10e5", "-n", "4", "--map-by", "node", "--no-summary", "--",
                       built("tests/native/threads_mpi_program_" + GetParam()), what});
  }
  // The output of the first run, if the others print the same.
  static std::string printed_each_time(const std::string& what) {
    const Ran first = run(what);
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(first.err, "");
    for (int i = 0; i < 4; ++i) {
      const Ran again = run(what);
      EXPECT_EQ(again.code, 0) << again.err;
      EXPECT_EQ(again.out, first.out);
    }
    return first.out;
  }
};

INSTANTIATE_TEST_SUITE_P(Mpi, Threads, testing::Values("openmpi", "mpich"),
                         [](const auto& info) { return info.param; });

TEST_P(Threads, ThatExchangeMessagesSleepAndMeet) {
  EXPECT_THAT(printed_each_time("messages"), StartsWith("thread 0: 20 messages, "));
}

TEST_P(Threads, ThatTakeAnyMessage) { EXPECT_THAT(printed_each_time("any"), StartsWith("thread 0 got ")); }

TEST_P(Threads, ThatShareAQueue) { EXPECT_THAT(printed_each_time("queue"), HasSubstr("end ")); }

// 4 threads of 10 round trips, one after the other, of messages with a header of 16 B: 40 * 2 * (1.62 us + 16 B
// / 3.2918 GB/s), and 10 ns to read the clock.
TEST_P(Threads, ThatShareAMutexGoOneAfterTheOther) {
  EXPECT_THAT(printed_each_time("mutex"), StartsWith("129999 ns\n"));
}

TEST_P(Threads, OneThatWaitsInALoopIsNamed) {
  const Ran ran = run("spin");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("seen\nend "));
  EXPECT_THAT(ran.err,
              HasSubstr("has a thread that computes, or waits in a loop, while its other threads want to call MPI"));
}

}  // namespace
}  // namespace strata
