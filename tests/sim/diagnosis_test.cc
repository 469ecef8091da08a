// SPDX-License-Identifier: LGPL-2.1-only
// The reason why a simulation failed, from the files that SMPI writes.
#include "sim/launcher/diagnosis.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata::sim {
namespace {

TEST(WaitsIn, LastCallOfARank) {
  struct Case {
    std::vector<std::string> trace;
    std::string waits;
  };
  const std::vector<Case> cases = {
      {{}, "waits before its first call"},
      {{"0 init"}, "waits in init"},
      {{"0 init", "0 recv 1 7 1 1"}, "waits in recv from rank 1 (tag 7)"},
      {{"0 init", "0 recv 1 7 1 1", "0 compute 12.5"}, "waits in recv from rank 1 (tag 7)"},
      {{"3 init", "3 send 1 3 1048576 2"}, "waits in send to rank 1 (tag 3)"},
      {{"0 init", "0 allreduce 1 0 1 1"}, "waits in allreduce"},
      {{"0 init", "0 barrier"}, "waits in barrier"},
      {{"0 init", "0 recv 1 7 1 1", "0 finalize"}, ""},
      // wait SOURCE DESTINATION TAG
      {{"0 irecv 1 5 1 1", "0 irecv 1 6 1 1", "0 wait 1 0 5"}, "waits in wait for irecv from rank 1 (tag 5)"},
      {{"0 isend 2 4 1 1", "0 wait 0 2 4"}, "waits in wait for isend to rank 2 (tag 4)"},
      // Of three requests, wait completes one and waitall blocks in the other two.
      {{"0 irecv 1 5 1 1", "0 irecv 1 6 1 1", "0 isend 2 7 1 1", "0 wait 1 0 6", "0 waitall 2"},
       "waits in waitall for irecv from rank 1 (tag 5), isend to rank 2 (tag 7)"},
      // The first waitall is complete, so only the request of the second is reported.
      {{"0 irecv 1 5 1 1", "0 irecv 1 6 1 1", "0 waitall 2", "0 irecv 1 8 1 1", "0 waitall 1"},
       "waits in waitall for irecv from rank 1 (tag 8)"},
      {{"0 waitall many"}, "waits in waitall"},
      {{"0 waitall"}, "waits in waitall"},
      {{"0 recv"}, "waits in recv"},
      {{"", "garbage", "0 recv 1 7"}, "waits in recv from rank 1 (tag 7)"},
  };
  for (const Case& c : cases) EXPECT_EQ(waits_in(c.trace), c.waits) << ::testing::PrintToString(c.trace);
}

TEST(WhoWaits, TellsTheFirstAndCountsTheRest) {
  const TemporaryFolder folder;
  for (int r = 0; r < 12; ++r) {
    const std::string rank = std::to_string(r);
    folder.write("rank-" + rank, rank + " init\n" + rank + (r == 1 ? " finalize\n" : " recv 1 7\n"));
  }
  folder.write("not-a-trace", "hello world\n");
  EXPECT_EQ(who_waits(folder.path(), 2),
            "rank 0 waits in recv from rank 1 (tag 7); rank 2 waits in recv from rank 1 (tag 7); and 9 more ranks");
  EXPECT_EQ(who_waits(folder.path() / "none"), "");
}

// A wait status as the system returns it: of an exit, and of an end by a signal.
constexpr int exited(int code) { return code << 8; }
constexpr int signalled(int number) { return number; }

TEST(NameThreads, ByTheRankThatTheyWorkFor) {
  EXPECT_EQ(name_threads("deadlock: rank 1 waits in recv from rank 5 (tag 7); rank 3 waits in barrier", 3),
            "deadlock: rank 1 waits in recv from the progress thread of rank 2 (tag 7); the progress thread of rank 0 "
            "waits in barrier");
  EXPECT_EQ(name_threads("rank 12345678901\nrank 4", 3), "rank 12345678901\nthe progress thread of rank 1");
  EXPECT_EQ(name_threads("a crank 5 of ranks 5, 70 of them", 3), "a crank 5 of ranks 5, 70 of them");
}

TEST(DescribeFailure, FromStandardError) {
  struct Case {
    int status;
    std::string error, description;
  };
  const std::vector<Case> cases = {
      {exited(7), "", "the program ended with status 7"},
      {exited(1), "no matrix\nExecution failed with code 1.\n", "the program ended with status 1: no matrix"},
      {exited(1), "no matrix\n./a --cfg=smpi/np:2 x\n\n", "the program ended with status 1: no matrix"},
      {signalled(SIGKILL), "", "the simulator was ended by signal 9 (Killed)"},
      {exited(139), "\n@strata crash rank 1 signal 11\nSegmentation fault\n", "rank 1 crashed: Segmentation fault"},
      {exited(139), "\n@strata crash rank -1 signal 11\n", "the simulator crashed: Segmentation fault"},
      {signalled(SIGPIPE), "", "the program's output has no reader any more (a broken pipe)"},
      {signalled(SIGABRT),
       "[0.000000] ./src/smpi/internals/smpi_global.cpp:492: [root/CRITICAL] dlopen failed for a.so\n",
       "the simulator was ended by signal 6 (Aborted): dlopen failed for a.so"},
      {exited(134), "@strata crash", "the simulator crashed: Unknown signal -1"},
      {exited(134),
       "[node0.core1:1:(2) 0.000000] ./src/xbt/exception.cpp:48: [xbt_exception/CRITICAL] Uncaught exception "
       "std::runtime_error: no\n[node0.core1:1:(2) 0.000000] ./src/xbt/exception.cpp:75: [xbt_exception/CRITICAL] "
       "Current backtrace:\n  -> 0# 0x00\n\n@strata crash rank 1 signal 6\nAborted\n",
       "rank 1 crashed: Aborted: Uncaught exception std::runtime_error: no"},
      {exited(134),
       "[node0.core1:1:(2) 0.000000] ./src/smpi/mpi/smpi_request.cpp:1000: [smpi_request/CRITICAL] recv - returned "
       "MPI_ERR_TRUNCATE instead of MPI_SUCCESS\n\n@strata crash rank 1 signal 6 at 0x120a in MPI_Recv\n",
       "rank 1 crashed: Aborted: MPI_Recv: recv - returned MPI_ERR_TRUNCATE instead of MPI_SUCCESS"},
      {exited(134),
       "[node0.core0:0:(1) 0.000000] ./src/smpi/bindings/smpi_mpi.cpp:423: [smpi_mpi/CRITICAL] Not yet implemented: "
       "PMPI_Comm_spawn. Please contact the SimGrid team if support is needed\n\n@strata crash rank 0 signal 6 at 0x1 "
       "in "
       "MPI_Comm_spawn\n",
       "rank 0 called MPI_Comm_spawn, which the simulated MPI does not have"},
      {exited(3), "\n@strata refused rank 2 called MPI_Session_init, which the simulated MPI does not have\n",
       "rank 2 called MPI_Session_init, which the simulated MPI does not have"},
      {exited(0),
       "[node0.core1:1:(2) 0.000000] ./src/smpi/bindings/smpi_pmpi.cpp:138: [smpi_pmpi/WARNING] MPI_Abort was called, "
       "something went probably wrong in this simulation !\n",
       "rank 1 called MPI_Abort"},
      {exited(1), "@strata wrong rank 3 has 2 wrong elements of 9\n", "wrong data: rank 3 has 2 wrong elements of 9"},
      {exited(2), "@strata usage --root: 9 is no rank\n", "--root: 9 is no rank"},
      {exited(2), "@strata platform m.yaml: no\n", "the platform plugin: m.yaml: no"},
      // A program may print a long line, in any encoding.
      {exited(1), std::string(1'000'000, '\xE9') + "\n",
       "the program ended with status 1: " + std::string(1'000'000, '\xE9')},
  };
  for (const Case& c : cases) {
    bool deadlock = true;
    EXPECT_EQ(describe_failure(c.status, c.error, deadlock), c.description);
    EXPECT_FALSE(deadlock);
  }
  bool deadlock = false;
  EXPECT_EQ(describe_failure(exited(1), "x\n@strata deadlock\n@strata crash rank 1 signal 6\n", deadlock), "deadlock");
  EXPECT_TRUE(deadlock);
  // SMPI's own limit is not a deadlock of the program.
  EXPECT_EQ(describe_failure(exited(0), "@strata deadlock\n@strata refused rank 0 receives too little\n", deadlock),
            "rank 0 receives too little");
  EXPECT_FALSE(deadlock);
}

// With a profile, the exit status and MPI_Abort are the program's own; without one, they are failures.
TEST(Diagnosis, EndOfAProgramIsAFailureOnlyWithoutProfile) {
  constexpr double kLimit_s = 5;
  const std::string abort = "[n:1:(2) 0.0] a.cpp:1: [smpi_pmpi/WARNING] MPI_Abort was called, something\n";
  EXPECT_EQ(diagnose({.status = exited(0), .text = ""}, kLimit_s).failure, "");
  EXPECT_EQ(diagnose({.status = exited(3), .text = ""}, kLimit_s).failure, "the program ended with status 3");
  EXPECT_EQ(diagnose({.status = exited(0), .text = abort}, kLimit_s).failure, "rank 1 called MPI_Abort");
  EXPECT_EQ(diagnose({.status = exited(3), .text = "", .profiled = true, .profile = Profile()}, kLimit_s).failure, "");
  Profile aborted;
  aborted.endings = {{.rank = 1, .how = Ending::How::kAbort, .code = 7}};
  // SimGrid may report a deadlock of the ranks that are left.
  EXPECT_EQ(diagnose({.status = exited(0), .text = abort + "@strata deadlock\n", .profiled = true, .profile = aborted},
                     kLimit_s)
                .failure,
            "");
  EXPECT_EQ(ending_text(aborted.endings[0]), "rank 1 called MPI_Abort with 7");
  // Without the profile that was wanted, the simulator has crashed.
  EXPECT_EQ(diagnose({.status = exited(0), .text = "", .profiled = true}, kLimit_s).failure,
            "the program ended with status 0");
}

TEST(Diagnosis, SaysWhichKindOfFailureItIs) {
  constexpr double kLimit_s = 5;
  const Diagnosis late = diagnose({.timed_out = true, .text = "@strata deadlock\n"}, kLimit_s);
  EXPECT_EQ(late.failure, "no end after 5 s of wall time, the time limit");
  EXPECT_TRUE(late.timed_out);
  EXPECT_FALSE(late.deadlock);
  Profile waiting;
  waiting.endings = {{.rank = 0, .how = Ending::How::kDeadlock, .call = "MPI_Recv", .awaits = {{true, 1, 7}}},
                     {.rank = 1, .how = Ending::How::kDeadlock, .call = "MPI_Barrier"}};
  const Diagnosis deadlock =
      diagnose({.status = exited(0), .text = "@strata deadlock\n", .profiled = true, .profile = waiting}, kLimit_s);
  EXPECT_EQ(deadlock.failure,
            "deadlock: rank 0 waits in MPI_Recv for a message from rank 1 (tag 7); rank 1 waits in MPI_Barrier");
  EXPECT_TRUE(deadlock.deadlock);
  EXPECT_FALSE(deadlock.refused);
  const Diagnosis refused =
      diagnose({.status = exited(0), .text = "@strata deadlock\n@strata refused too short\n"}, kLimit_s);
  EXPECT_EQ(refused.failure, "too short");
  EXPECT_TRUE(refused.refused);
  EXPECT_FALSE(refused.deadlock);
  EXPECT_TRUE(diagnose({.status = exited(2), .text = "@strata usage --root: no\n"}, kLimit_s).bad_usage);
}

}  // namespace
}  // namespace strata::sim
