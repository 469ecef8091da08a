// SPDX-License-Identifier: LGPL-2.1-only
// Accounts of the ranks' times: worked examples, and random events, for which each moment must be counted once.
#include "records/ledger.h"

#include <gtest/gtest.h>

#include <random>

namespace strata::sim {
namespace {

constexpr int kSend = 0, kReceive = 1, kBarrier = 2;

class LedgerTest : public ::testing::Test {
 protected:
  LedgerTest() : ledger_({"MPI_Send", "MPI_Recv", "MPI_Barrier"}) {
    ledger_.add_rank();
    ledger_.add_rank();
  }
  RankLedger& rank(int number) { return *ledger_.rank(static_cast<size_t>(number)); }
  void leave(int number, double now) { rank(number).leave(ledger_.calls(), now); }

  Ledger ledger_;
};

TEST_F(LedgerTest, ALateMessage) {
  rank(0).enter(kReceive, 1);
  rank(0).block(1);
  rank(0).unblock(3, 4);
  leave(0, 4.5);
  rank(0).end(ledger_.calls(), 6);
  const Profile profile = ledger_.profile(8);
  EXPECT_EQ(profile.ranks[0], (RankProfile{2.5, 1.5, 2, 6}));
  EXPECT_EQ(profile.ranks[1], (RankProfile{8, 0, 0, 8})) << "it did nothing until the end";
  EXPECT_EQ(profile.simulated_time, 8);
  EXPECT_EQ(profile.calls, (std::vector<CallProfile>{{"MPI_Recv", 1, 3.5, 2}}));
}

TEST_F(LedgerTest, AMessageThatFlowsAlreadyIsNotWaitedFor) {
  rank(0).enter(kReceive, 5);
  rank(0).block(5);
  rank(0).unblock(3, 6);
  leave(0, 6);
  rank(0).block(6);  // outside of MPI: does not count
  rank(0).unblock(7, 8);
  EXPECT_EQ(ledger_.profile(6).ranks[0], (RankProfile{5, 1, 0, 6}));
}

TEST_F(LedgerTest, CallsWithinACallArePartOfIt) {
  rank(0).enter(kBarrier, 1);
  rank(0).enter(kSend, 2);
  rank(0).block(2);
  rank(0).unblock(kNotYet, 3);
  leave(0, 3);
  leave(0, 4);
  const Profile profile = ledger_.profile(4);
  EXPECT_EQ(profile.calls, (std::vector<CallProfile>{{"MPI_Barrier", 1, 3, 1}}));
  EXPECT_EQ(profile.ranks[0], (RankProfile{1, 2, 1, 4}));
}

TEST_F(LedgerTest, ComputationInsideACallIsTheProgram) {
  rank(0).enter(kSend, 1);
  rank(0).computed(2);
  leave(0, 4);
  const Profile profile = ledger_.profile(4);
  EXPECT_EQ(profile.ranks[0], (RankProfile{3, 1, 0, 4}));
  EXPECT_EQ(profile.calls, (std::vector<CallProfile>{{"MPI_Send", 1, 1, 0}}));
}

TEST_F(LedgerTest, WhoIsBlockedAtTheEndWaits) {
  rank(0).enter(kBarrier, 1);
  rank(0).enter(kReceive, 1);
  rank(0).block(2);
  const Profile profile = ledger_.profile(5);
  EXPECT_EQ(profile.ranks[0], (RankProfile{1, 1, 3, 5}));
  EXPECT_EQ(profile.calls, (std::vector<CallProfile>{{"MPI_Barrier", 1, 4, 3}}));
}

TEST_F(LedgerTest, CallsAreByNameAndEndingsByTime) {
  for (const int call : {kSend, kReceive, kBarrier, kSend}) {
    rank(1).enter(call, 1);
    leave(1, 2);
  }
  ledger_.tell({1, Ending::How::kAbort, 7});
  ledger_.tell({0, Ending::How::kReturn, 3});
  ledger_.tell({1, Ending::How::kUnfinalized});
  ledger_.tell({2, Ending::How::kReturn, 3});  // rank 2 does not exist
  const Profile profile = ledger_.profile(2);
  ASSERT_EQ(profile.calls.size(), 3u);
  EXPECT_EQ(profile.calls[0].call, "MPI_Barrier");
  EXPECT_EQ(profile.calls[1].call, "MPI_Recv");
  EXPECT_EQ(profile.calls[2], (CallProfile{"MPI_Send", 2, 2, 0}));
  EXPECT_EQ(profile.endings, (std::vector<Ending>{{1, Ending::How::kAbort, 7}, {0, Ending::How::kReturn, 3}}));
}

TEST_F(LedgerTest, ActorsThatComeLaterAreNoRanks) {
  rank(0);
  ledger_.add_rank();
  EXPECT_EQ(ledger_.rank(2), nullptr);
  EXPECT_EQ(ledger_.profile(1).ranks.size(), 2u);
}

TEST_F(LedgerTest, EachMomentCountsOnce) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  double now = 0, in_mpi = 0, computed = 0;
  int depth = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double before = now;
    now += below(4) / 8.0;  // sums are exact
    if (depth > 0) in_mpi += now - before;
    switch (below(5)) {
      case 0:
        rank(0).enter(below(3), now);
        ++depth;
        break;
      case 1:
        if (depth == 0) break;
        leave(0, now);
        --depth;
        break;
      case 2:
        rank(0).block(now);
        break;
      case 3:
        rank(0).unblock(below(2) == 0 ? kNotYet : now - below(8) / 8.0, now);
        break;
      default:
        if (depth == 0) break;
        rank(0).computed(0.25);
        now += 0.25;
        computed += 0.25;
    }
  }
  const Profile profile = ledger_.profile(now);
  const RankProfile& r = profile.ranks[0];
  EXPECT_EQ(r.end, now);
  EXPECT_EQ(r.computing, now - in_mpi);
  EXPECT_EQ(r.communicating + r.waiting, in_mpi);
  EXPECT_GT(r.waiting, 0);
  EXPECT_GT(computed, 0);
  double seconds = 0, waiting = 0;
  for (const CallProfile& c : profile.calls) seconds += c.seconds, waiting += c.waiting;
  EXPECT_EQ(seconds, in_mpi);
  EXPECT_EQ(waiting, r.waiting);
}

}  // namespace
}  // namespace strata::sim
