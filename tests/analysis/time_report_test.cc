// SPDX-License-Identifier: LGPL-2.1-only
// Time reports for streams of events that are small enough to work out by hand: the critical path piece by piece, late
// ranks, and phases.
#include "analysis/time_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "tests/analysis/round_machine.h"
#include "tests/analysis/story.h"

namespace strata::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = PathKind;

constexpr double kMs = 1e-3, kUs = 1e-6;

// Each piece as "computing 0 0..1000": kind, rank, and start and end in us, followed by a message's ends.
std::vector<std::string> pieces(const CriticalPath& path) {
  std::vector<std::string> all;
  for (const PathPiece& p : path.pieces) {
    std::string text = std::string(name_of(p.kind)) + " " + std::to_string(p.rank) + " " +
                       std::to_string(std::lround(p.from / kUs)) + ".." + std::to_string(std::lround(p.to / kUs));
    if (p.message != 0) text += " " + std::to_string(p.sender) + ">" + std::to_string(p.receiver);
    if (p.function >= 0) text += " " + path.functions[p.function];
    all.push_back(text);
  }
  return all;
}

// Rank 0 computes for 1 ms and sends `bytes` to rank 1 on another node, which has been waiting from the start. The
// envelope adds 16 bytes.
Story late_sender(std::int64_t bytes, double arrives) {
  Story s(2);
  s.on_cores({0, 2});
  s.enter(1, 0, Story::kRecv);
  s.block(1, 0);
  s.enter(0, 1 * kMs, Story::kSend);
  s.send(1, 0, 1, 1.001 * kMs, bytes);
  s.leave(0, 1.001 * kMs);
  s.end(0, 1.001 * kMs);
  s.arrive(1, arrives, 0, 1.001 * kMs);
  s.unblock(1, arrives, 1, 1.001 * kMs);
  s.leave(1, arrives);
  s.end(1, arrives);
  return s;
}

TEST(CriticalPath, GoesFromAReceiverToItsLateSender) {
  const Machine machine = round_machine();
  const double arrives = 1.001 * kMs + kNetworkWire + (99'984 + 16) / 1e9;
  const TimeReport report = late_sender(99'984, arrives).report(arrives, &machine);
  EXPECT_THAT(pieces(report.path),
              ElementsAre("computing 0 0..1000", "mpi 0 1000..1001 MPI_Send", "latency 1 1001..1002 0>1 MPI_Recv",
                          "transfer 1 1002..1102 0>1 MPI_Recv"));
  EXPECT_DOUBLE_EQ(report.path.seconds, arrives);
  EXPECT_EQ(report.path.last_rank, 1);
  EXPECT_EQ(report.path.whole.messages, 1);
  const std::vector<PathShare> levels = named(report.path.by_level);
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_EQ(report.path.levels[levels[0].index], kClusterName);
  ASSERT_EQ(report.late.senders.size(), 1u);
  EXPECT_EQ(report.late.senders[0].late, 0);
  EXPECT_EQ(report.late.senders[0].waits, 1);
  EXPECT_DOUBLE_EQ(report.late.senders[0].seconds, 1.001 * kMs);
  EXPECT_EQ(report.late.senders[0].in_collectives, 0);
}

TEST(CriticalPath, TellsContentionFromTransfer) {
  const Machine machine = round_machine();
  const double arrives = 1.001 * kMs + kNetworkWire + 2 * (99'984 + 16) / 1e9;
  const TimeReport report = late_sender(99'984, arrives).report(arrives, &machine);
  const CriticalPath& path = report.path;
  EXPECT_NEAR(path.whole.seconds(Kind::kLatency), 1 * kUs, 1e-15);
  EXPECT_NEAR(path.whole.seconds(Kind::kTransfer), 100 * kUs, 1e-15);
  EXPECT_NEAR(path.whole.seconds(Kind::kContention), 100 * kUs, 1e-15);
}

TEST(CriticalPath, WithoutAMachineAMessageIsOnePiece) {
  const TimeReport report = late_sender(8, 1.003 * kMs).report(1.003 * kMs, nullptr);
  EXPECT_THAT(pieces(report.path),
              ElementsAre("computing 0 0..1000", "mpi 0 1000..1001 MPI_Send", "message 1 1001..1003 0>1 MPI_Recv"));
  EXPECT_TRUE(named(report.path.by_level).empty());
  EXPECT_THAT(time_text(report), HasSubstr("\n  messages "));
}

// Rank 0 starts to send a long message at once. The receive is posted after 1 ms, and both ranks continue at 1.5 ms.
TEST(CriticalPath, GoesFromASenderToItsLateReceiver) {
  const Machine machine = round_machine();
  Story s(2);
  s.enter(0, 0, Story::kSend);
  s.send(1, 0, 1, 0, 1'000'000);
  s.block(0, 0);
  s.enter(1, 1 * kMs, Story::kRecv);
  s.block(1, 1 * kMs);
  s.arrive(1, 1.5 * kMs, 1 * kMs, 1 * kMs);
  s.unblock(0, 1.5 * kMs, 1, 1 * kMs);
  s.unblock(1, 1.5 * kMs, 1, 1 * kMs);
  s.leave(0, 1.5 * kMs);
  s.leave(1, 1.5 * kMs);
  s.end(1, 1.5 * kMs);
  s.end(0, 2 * kMs);
  const TimeReport report = s.report(2 * kMs, &machine);
  EXPECT_EQ(pieces(report.path)[0], "computing 1 0..1000");
  EXPECT_EQ(pieces(report.path)[1], "latency 0 1000..1001 0>1 MPI_Send");
  EXPECT_EQ(pieces(report.path).back(), "computing 0 1500..2000");
  EXPECT_TRUE(report.late.senders.empty());
  ASSERT_EQ(report.late.receivers.size(), 1u);
  EXPECT_EQ(report.late.receivers[0].late, 1);
  EXPECT_EQ(report.late.receivers[0].waits, 0);
  EXPECT_DOUBLE_EQ(report.late.receivers[0].seconds, 1 * kMs);
}

// The time follows from a message that was under way before its receiver waited for it, not from the receiver's work.
TEST(CriticalPath, FollowsAMessageBackBeyondTheBlock) {
  Story s(2);
  s.send(1, 0, 1, 0.1 * kMs, 8);
  s.end(0, 0.1 * kMs);
  s.enter(1, 1 * kMs, Story::kWait);
  s.block(1, 1 * kMs);
  s.arrive(1, 2 * kMs, 0, 0.1 * kMs);
  s.unblock(1, 2 * kMs, 1, 0.1 * kMs);
  s.leave(1, 2 * kMs);
  const TimeReport report = s.report(2 * kMs, nullptr);
  EXPECT_THAT(pieces(report.path), ElementsAre("computing 0 0..100", "message 1 100..2000 0>1 MPI_Wait"));
  EXPECT_TRUE(report.late.senders.empty()) << "it flowed all the time";
}

TEST(CriticalPath, AMessageThatWasThereIsNotOnIt) {
  Story s(2);
  s.send(1, 0, 1, 0, 8);
  s.arrive(1, 1 * kMs, 0, 0);
  s.enter(1, 2 * kMs, Story::kWait);
  s.block(1, 2 * kMs);
  s.unblock(1, 2.5 * kMs, 1, 0);
  s.leave(1, 2.5 * kMs);
  EXPECT_THAT(pieces(s.report(3 * kMs, nullptr).path), ElementsAre("computing 0 0..3000"))
      << "both ranks end last: the first";
  Story alone(2);
  alone.send(1, 0, 1, 0, 8);
  alone.end(0, 0.1 * kMs);
  alone.arrive(1, 1 * kMs, 0, 0);
  alone.enter(1, 2 * kMs, Story::kWait);
  alone.block(1, 2 * kMs);
  alone.unblock(1, 2.5 * kMs, 1, 0);
  alone.leave(1, 2.5 * kMs);
  EXPECT_THAT(pieces(alone.report(3 * kMs, nullptr).path),
              ElementsAre("computing 1 0..2000", "mpi 1 2000..2500 MPI_Wait", "computing 1 2500..3000"));
}

TEST(CriticalPath, GoesOnAtTheRankThatCameLastToABarrier) {
  Story s(3);
  for (const int r : {0, 1}) {
    s.enter(r, (r + 1) * kMs, Story::kWork);
    s.block(r, (r + 1) * kMs);
    s.unblock(r, 5 * kMs, 0, 5 * kMs, 2);
    s.leave(r, 5 * kMs);
  }
  s.enter(2, 5 * kMs, Story::kWork);
  s.leave(2, 5 * kMs);
  s.end(2, 5 * kMs);
  s.end(0, 6 * kMs);
  s.end(1, 7 * kMs);
  const TimeReport report = s.report(7 * kMs, nullptr);
  EXPECT_THAT(pieces(report.path), ElementsAre("computing 2 0..5000", "computing 1 5000..7000"));
  ASSERT_EQ(report.late.barriers.size(), 1u);
  EXPECT_EQ(report.late.barriers[0].last, 2);
  EXPECT_EQ(report.late.barriers[0].count, 2);
  EXPECT_DOUBLE_EQ(report.late.barriers[0].seconds, 4 * kMs + 3 * kMs);
  EXPECT_DOUBLE_EQ(report.late.barriers[0].longest, 4 * kMs);
}

TEST(CriticalPath, WaitingThatTheEventsDoNotExplainIsSaid) {
  Story s(1);
  s.enter(0, 1 * kMs, Story::kWork);
  s.block(0, 1 * kMs);
  s.unblock(0, 3 * kMs, 0, 3 * kMs);
  s.leave(0, 3 * kMs);
  const TimeReport report = s.report(4 * kMs, nullptr);
  EXPECT_THAT(pieces(report.path),
              ElementsAre("computing 0 0..1000", "waiting 0 1000..3000 MPI_Work", "computing 0 3000..4000"));
  EXPECT_DOUBLE_EQ(report.late.unknown_seconds, 2 * kMs);
}

TEST(CriticalPath, ARankThatIsBlockedAtTheEndHasWaited) {
  Story s(2);
  s.enter(0, 1 * kMs, Story::kRecv);
  s.block(0, 1 * kMs);
  const TimeReport report = s.report(2 * kMs, nullptr);
  EXPECT_THAT(pieces(report.path), ElementsAre("computing 0 0..1000", "waiting 0 1000..2000 MPI_Recv"));
  EXPECT_DOUBLE_EQ(report.late.unknown_seconds, 1 * kMs);
  ASSERT_EQ(report.phases.size(), 1u);
  EXPECT_DOUBLE_EQ(report.phases[0].waiting.most, 1 * kMs);
}

// Rank 0 gets data from rank 1, which is blocked in a barrier: rank 0 causes both sides of the message.
TEST(CriticalPath, OneSidedMessagesGoOnAtTheirOrigin) {
  Story s(2);
  s.enter(1, 0, Story::kWork);
  s.block(1, 0);
  s.enter(0, 2 * kMs, Story::kRecv);
  s.send(1, 1, 0, 2 * kMs, 8);
  s.block(0, 2 * kMs);
  s.arrive(1, 3 * kMs, 2 * kMs, 2 * kMs);
  s.unblock(0, 3 * kMs, 1, 2 * kMs);
  s.leave(0, 3 * kMs);
  s.unblock(1, 3 * kMs, 0, 3 * kMs, 0);
  s.leave(1, 3 * kMs);
  s.end(0, 3 * kMs);
  const TimeReport report = s.report(4 * kMs, nullptr);
  EXPECT_THAT(pieces(report.path),
              ElementsAre("computing 0 0..2000", "message 0 2000..3000 1>0 MPI_Recv", "computing 1 3000..4000"));
}

// Three ranks that each compute for 1 ms before they send a message to the next.
TEST(CriticalPath, OfAPipelineIsTheChain) {
  const Machine machine = round_machine();
  Story s(3);
  double now = 0;
  for (int r = 0; r < 3; ++r) {
    if (r > 0) {
      s.enter(r, 0, Story::kRecv);
      s.block(r, 0);
      const double sent = now;
      now += (r == 2 ? kNetworkWire : 1 * kUs) + (r == 2 ? 1'000 / 1e9 : 1'000 / 2e9);
      s.arrive(r, now, 0, sent);
      s.unblock(r, now, r, sent);
      s.leave(r, now);
    }
    now += 1 * kMs;
    if (r < 2) s.send(r + 1, r, r + 1, now, 984);
    s.end(r, now);
  }
  const CriticalPath path = s.report(now, &machine).path;
  EXPECT_NEAR(path.whole.seconds(Kind::kComputing), 3 * kMs, 1e-14);
  EXPECT_NEAR(path.whole.seconds(Kind::kLatency), 2 * kUs, 1e-14);
  EXPECT_NEAR(path.whole.seconds(Kind::kTransfer), 1.5 * kUs, 1e-14);
  EXPECT_EQ(path.whole.seconds(Kind::kContention), 0);
  EXPECT_EQ(path.by_rank.size(), 3u);
  EXPECT_EQ(named(path.by_level).size(), 2u);
  EXPECT_EQ(path.whole.messages, 2);
}

TEST(CriticalPath, AnotherMachineIsRefused) {
  const Machine machine = round_machine();
  Story s = late_sender(8, 1.003 * kMs);
  s.on_cores({0, 4});
  try {
    s.report(1.003 * kMs, &machine);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("has 4 cores, and the events have rank 1 on core 4; give the machine that the "
                                    "program ran on"));
  }
}

// --- phases ---

TEST(Phases, ImbalanceIsThePlantedOne) {
  Story s(4);
  for (int r = 0; r < 4; ++r) {
    const double work = r == 3 ? 3 * kMs : 1 * kMs;
    s.begin_phase(r, 0, "solve");
    s.enter(r, work, Story::kWork);
    if (r < 3) {
      s.block(r, work);
      s.unblock(r, 3 * kMs, 0, 3 * kMs, 3);
    }
    s.leave(r, 3.5 * kMs);
    s.end_phase(r, 3.5 * kMs);
    if (r == 2) {
      s.begin_phase(r, 4 * kMs, "output");
      s.begin_phase(r, 5 * kMs, "output");
      s.end_phase(r, 6 * kMs);
      s.end_phase(r, 7 * kMs);
    }
  }
  const std::vector<Phase> phases = s.report(8 * kMs, nullptr).phases;
  ASSERT_EQ(phases.size(), 2u);
  const Phase& solve = phases[0];
  EXPECT_EQ(solve.name, "solve");
  EXPECT_EQ(solve.ranks, 4);
  EXPECT_EQ(solve.times, 4);
  EXPECT_DOUBLE_EQ(solve.computing.mean, 1.5 * kMs);
  EXPECT_DOUBLE_EQ(solve.computing.most, 3 * kMs);
  EXPECT_EQ(solve.computing.most_rank, 3);
  EXPECT_DOUBLE_EQ(solve.computing.least, 1 * kMs);
  EXPECT_EQ(solve.computing.least_rank, 0);
  EXPECT_DOUBLE_EQ(solve.computing.imbalance(), 1.0);
  EXPECT_DOUBLE_EQ(solve.seconds.imbalance(), 0.0);
  EXPECT_DOUBLE_EQ(solve.waiting.mean, 1.5 * kMs);
  EXPECT_DOUBLE_EQ(solve.waiting.least, 0);
  EXPECT_NEAR(solve.communicating.mean, 0.5 * kMs, 1e-15);
  const Phase& output = phases[1];
  EXPECT_EQ(output.ranks, 1);
  EXPECT_EQ(output.times, 2);
  EXPECT_DOUBLE_EQ(output.seconds.most, 3 * kMs) << "one within the other counts once";
  EXPECT_EQ(output.seconds.most_rank, 2);
}

TEST(Phases, WithoutNamesAreTheWholeRun) {
  Story s(2);
  s.enter(1, 1 * kMs, Story::kWork);
  s.leave(1, 2 * kMs);
  s.end(1, 3 * kMs);
  const std::vector<Phase> phases = s.report(4 * kMs, nullptr).phases;
  ASSERT_EQ(phases.size(), 1u);
  EXPECT_EQ(phases[0].name, "");
  EXPECT_DOUBLE_EQ(phases[0].seconds.most, 4 * kMs);
  EXPECT_DOUBLE_EQ(phases[0].seconds.least, 3 * kMs);
  EXPECT_DOUBLE_EQ(phases[0].communicating.most, 1 * kMs);
}

TEST(Phases, PastTheMostAreOne) {
  Story s(1);
  for (int i = 0; i < 300; ++i) {
    s.begin_phase(0, i * kMs, "step " + std::to_string(i));
    s.end_phase(0, (i + 1) * kMs);
  }
  const std::vector<Phase> phases = s.report(0.3, nullptr).phases;
  ASSERT_EQ(phases.size(), kMostPhases + 1);
  EXPECT_EQ(phases.back().name, kOtherPhases);
  EXPECT_EQ(phases.back().times, 300 - static_cast<long>(kMostPhases));
  EXPECT_NEAR(phases.back().seconds.mean, phases.back().times * kMs, 1e-12);
}

// --- text and JSON ---

TEST(TimeText, ToTheLetter) {
  const Machine machine = round_machine();
  const double arrives = 1.001 * kMs + kNetworkWire + 2 * (99'984 + 16) / 1e9;
  EXPECT_EQ(time_text(late_sender(99'984, arrives).report(arrives, &machine)),
            "critical path                                     time       share\n"
            "  computing                                    1.00 ms      83.2 %  rank 0\n"
            "  transfer: System - Cluster                    100 us       8.3 %  1 message\n"
            "  contention: System - Cluster                  100 us       8.3 %  1 message\n"
            "  work in MPI_Send                             1.00 us       0.1 %\n"
            "  latency: System - Cluster                    1.00 us       0.1 %  1 message\n"
            "\n"
            "ranks that others wait for                     waiting       waits\n"
            "  rank 0 sends late to rank 1                  1.00 ms           1\n"
            "\n"
            "phase                      mean time   computing   communicating   waiting  imbalance of computing\n"
            "  the whole run              1.10 ms      45.4 %           9.2 %    45.4 %  100.0 %  (most: rank 0, "
            "least: rank 1)\n");
}

TEST(TimeJson, HasThePathAndWhoIsLate) {
  const Machine machine = round_machine();
  const double arrives = 1.001 * kMs + kNetworkWire + (99'984 + 16) / 1e9;
  Json document = Json::object();
  add_time(late_sender(99'984, arrives).report(arrives, &machine), document);
  const Json& path = document["critical_path"];
  EXPECT_EQ(path["seconds"], arrives);
  EXPECT_EQ(path["messages"], 1);
  EXPECT_EQ(path["pieces_left_out"], 0);
  ASSERT_EQ(path["pieces"].size(), 4u);
  EXPECT_EQ(path["pieces"][0]["kind"], "computing");
  EXPECT_FALSE(path["pieces"][0].contains("function"));
  EXPECT_EQ(path["pieces"][3]["kind"], "transfer");
  EXPECT_EQ(path["pieces"][3]["level"], kClusterName);
  EXPECT_EQ(path["pieces"][3]["sender"], 0);
  EXPECT_EQ(path["pieces"][3]["bytes"], 99'984);
  EXPECT_EQ(path["pieces"][3]["to"], arrives);
  EXPECT_EQ(document["late"]["senders"][0]["late"], 0);
  EXPECT_EQ(document["phases"][0]["phase"], nullptr);
  EXPECT_EQ(document["phases"][0]["computing"]["most_rank"], 0);
}

TEST(TimeJson, LeavesOutTheShortestPieces) {
  Story s(1);
  const int calls = 6'000;
  for (int i = 0; i < calls; ++i) {
    s.enter(0, (2 * i + 1) * kMs, Story::kWork);
    s.leave(0, (2 * i + 2 - (i % 2 == 0 ? 0.5 : 0)) * kMs);
  }
  const TimeReport report = s.report(2 * calls * kMs, nullptr);
  ASSERT_EQ(report.path.pieces.size(), 2u * calls);
  Json document = Json::object();
  add_time(report, document);
  const Json& pieces = document["critical_path"]["pieces"];
  ASSERT_EQ(pieces.size(), kMostInJson);
  EXPECT_EQ(document["critical_path"]["pieces_left_out"], 2 * calls - static_cast<int>(kMostInJson));
  for (size_t i = 1; i < pieces.size(); ++i) {
    EXPECT_LT(pieces[i - 1]["from"].get<double>(), pieces[i]["from"].get<double>());
  }
}

TEST(TimeReport, AnEmptyRun) {
  Story s(1);
  const TimeReport report = s.report(0, nullptr);
  EXPECT_TRUE(report.path.pieces.empty());
  EXPECT_THAT(time_text(report), ::testing::Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace strata::analysis
