// SPDX-License-Identifier: LGPL-2.1-only
// Profiles of programs whose times follow by hand (profiled.h).
#include "records/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/sim/profile/profiled.h"

namespace strata {
namespace {

using ::testing::HasSubstr;

void expect_rank(const RankProfile& rank, double computing, double communicating, double waiting) {
  EXPECT_NEAR(rank.computing, computing, kRounding);
  EXPECT_NEAR(rank.communicating, communicating, kRounding);
  EXPECT_NEAR(rank.waiting, waiting, kRounding);
}

CallProfile call_of(const Profile& profile, const std::string& call) {
  const auto it = std::ranges::find(profile.calls, call, &CallProfile::call);
  return it == profile.calls.end() ? CallProfile{} : *it;
}

TEST_F(Profiled, ALateSenderIsWaitedFor) {
  const Profile profile = run(2, "late_sender");
  expect_rank(profile.ranks[0], kMs, kOverhead, 0);
  expect_rank(profile.ranks[1], 0, kSmall, kMs + kOverhead);
  const CallProfile receive = call_of(profile, "MPI_Recv");
  EXPECT_EQ(receive.count, 1);
  EXPECT_NEAR(receive.seconds, kMs + kOverhead + kSmall, kRounding);
  EXPECT_NEAR(receive.waiting, kMs + kOverhead, kRounding);
  EXPECT_EQ(profile.endings, std::vector<Ending>());
  EXPECT_EQ(ran_.code, 0) << ran_.err;
}

TEST_F(Profiled, ALateReceiverIsWaitedFor) {
  const Profile profile = run(2, "late_receiver");
  expect_rank(profile.ranks[0], 0, kLarge, kMs);
  expect_rank(profile.ranks[1], kMs, kLarge, 0);
}

TEST_F(Profiled, AMessageThatIsThereCostsNothing) {
  const Profile profile = run(2, "eager");
  expect_rank(profile.ranks[0], 0, kOverhead, 0);
  expect_rank(profile.ranks[1], kMs, 0, 0);
}

TEST_F(Profiled, InABarrierTheOthersWait) {
  const Profile profile = run(2, "barrier");  // an empty message in each direction
  expect_rank(profile.ranks[0], 0, kOverhead + 16 * kNs, kMs);
  expect_rank(profile.ranks[1], kMs, kOverhead, 0);
  const Profile four = run(4, "barrier");
  for (const int rank : {0, 2, 3}) EXPECT_NEAR(four.ranks[rank].waiting, kMs, 10 * kOverhead);
  EXPECT_LT(four.ranks[1].waiting, 10 * kOverhead);
}

TEST_F(Profiled, Computation) {
  const Profile profile = run(3, "computation");
  for (const int rank : {0, 1, 2}) expect_rank(profile.ranks[rank], rank * kMs, 0, 0);
}

TEST_F(Profiled, OfSeveralMessagesEachOneIsWaitedFor) {
  const Profile profile = run(3, "waitall");
  // It waits until the first message begins to flow and, after its arrival, until the second does.
  expect_rank(profile.ranks[1], 0, 2 * kSmall, 2 * kMs + kOverhead - kSmall);
}

TEST_F(Profiled, PollingForALateMessageIsWaiting) {
  // SMPI charges 0.1 ms for the first poll, and 0.1 ms more for each following one. The message begins to flow during
  // the fifth poll, from 1 to 1.5 ms, which finds it.
  for (const char* what : {"test", "testany"}) {
    SCOPED_TRACE(what);
    const Profile profile = run(2, what);
    expect_rank(profile.ranks[1], 0, 0.5 * kMs - kOverhead, kMs + kOverhead);
    EXPECT_EQ(call_of(profile, std::string(what) == "test" ? "MPI_Test" : "MPI_Testany").count, 5);
  }
  const Profile probed = run(2, "probe");
  expect_rank(probed.ranks[1], 0, 0.5 * kMs, kMs);
  EXPECT_EQ(call_of(probed, "MPI_Probe").count, 1);
  EXPECT_EQ(call_of(probed, "MPI_Iprobe").count, 0);
}

TEST_F(Profiled, AFenceWaitsForTheLastRank) {
  const Profile profile = run(2, "fence");
  EXPECT_NEAR(call_of(profile, "MPI_Win_fence").waiting, kMs, 10 * kOverhead);
  EXPECT_NEAR(profile.ranks[0].waiting, kMs, 10 * kOverhead);
}

TEST_F(Profiled, OnlyWhatTheProgramCallsIsCounted) {
  const Profile profile = run(2, "nested");
  std::vector<std::string> calls;
  for (const CallProfile& c : profile.calls) {
    EXPECT_EQ(c.count, 2) << c.call;
    calls.push_back(c.call);
  }
  EXPECT_EQ(calls,
            (std::vector<std::string>{"MPI_Comm_rank", "MPI_Finalize", "MPI_Init_thread", "MPI_Sendrecv_replace"}));
}

// SMPI charges measured computation within the next MPI function. Its time depends on the real processor; that of the
// function does not.
TEST_F(Profiled, MeasuredComputationIsNotTheNextFunctions) {
  const Profile profile = run(
      2, "busy", {"--cfg=smpi/simulate-computation:yes", "--cfg=smpi/cpu-threshold:0.01", "--cfg=smpi/host-speed:1Gf"});
  EXPECT_GT(profile.ranks[0].computing, 10 * kMs);
  EXPECT_NEAR(profile.ranks[0].communicating, kOverhead, kRounding);
  EXPECT_NEAR(call_of(profile, "MPI_Send").seconds, kOverhead, kRounding);
  expect_rank(profile.ranks[1], 0, kSmall, profile.ranks[0].end);
}

TEST_F(Profiled, OtherActorsAreNoRanks) { EXPECT_EQ(run(2, "actor").ranks.size(), 2u); }

TEST_F(Profiled, HowRanksEnd) {
  using How = Ending::How;
  const auto endings = [&](const std::string& what, int code) {
    SCOPED_TRACE(what);
    std::vector<Ending> all = run(2, what).endings;
    EXPECT_EQ(ran_.code, code) << ran_.err;  // SMPI's exit code
    return all;
  };
  EXPECT_EQ(endings("return", 8), (std::vector<Ending>{{1, How::kReturn, 8}}));
  EXPECT_EQ(endings("return_early", 5), (std::vector<Ending>{{1, How::kReturn, 5}}));
  EXPECT_EQ(endings("smpi_exit", 6), (std::vector<Ending>{{1, How::kExit, 6}}));
  EXPECT_EQ(endings("exit", 7), (std::vector<Ending>{{1, How::kExit, 7}}));
  EXPECT_EQ(endings("no_finalize", 0), (std::vector<Ending>{{1, How::kUnfinalized, 0}}));
  EXPECT_EQ(endings("abort", 0), (std::vector<Ending>{{1, How::kAbort, 3}})) << "not the ranks that it killed";
  EXPECT_EQ(endings("fork", 0), std::vector<Ending>());
}

// Fortran's STOP is the C library's exit().
TEST_F(Profiled, ExitEndsOneRank) {
  const Profile profile = run(3, "exit");
  EXPECT_EQ(call_of(profile, "MPI_Finalize").count, 2);
  expect_rank(profile.ranks[2], kMs, 0, 0);
}

TEST_F(Profiled, WhoWaitsForWhomInADeadlock) {
  const std::vector<Ending> expected = {
      {0, Ending::How::kDeadlock, 0, "MPI_Recv", {{true, 1, 7}}},
      {1, Ending::How::kDeadlock, 0, "MPI_Send", {{false, 2, 8}}},
      {2, Ending::How::kDeadlock, 0, "MPI_Waitall", {{true, 0, 0}, {true, -1, 0}}},
  };
  EXPECT_EQ(run(3, "deadlock").endings, expected);
}

TEST_F(Profiled, TheSameBytesAgain) {
  run(4, "barrier");
  const std::string first = read_text(path());
  run(4, "barrier");
  EXPECT_EQ(read_text(path()), first);
}

TEST_F(Profiled, AFullDiskIsSaid) {
  const Ran full = start(2, "barrier", {}, {.environment = {{"STRATA_PROFILE", "/dev/full"}}});
  EXPECT_EQ(full.code, 2);
  EXPECT_THAT(full.err, HasSubstr("@strata platform /dev/full: cannot be written: No space left on device"));
  const Ran nowhere = start(2, "barrier", {}, {.environment = {{"STRATA_PROFILE", path() + "/none"}}});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("@strata platform " + path() + "/none: cannot be written: No such file"));
}

TEST_F(Profiled, OnlyIfAsked) {
  EXPECT_EQ(start(2, "barrier", {}, {.environment = {{"STRATA_PROFILE", ""}}}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

}  // namespace
}  // namespace strata
