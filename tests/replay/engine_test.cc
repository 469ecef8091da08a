// SPDX-License-Identifier: LGPL-2.1-only
// Traces written by hand, whose times a reader can work out, and traces that cannot be replayed.
#include "replay/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "platforms/machine.h"
#include "records/trace/fold.h"
#include "tests/process/process.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using Kind = TraceStep::Kind;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Machine& machine() {
  static const Machine m = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  return m;
}

std::vector<double> ends(const Trace& trace) { return replay(trace, machine(), trace.cores).ended; }

TEST(Engine, TimePassesInSleepAndOnCores) {
  EXPECT_THAT(ends(trace_of({{}, {sleep(2)}, {repeat(3, 3), sleep(1), repeat(2, 1), sleep(0.5)}})),
              ElementsAre(0, 2, 6));
  // Two ranks that take one and two seconds alone share a core.
  const double speed = machine().core_speed.si;
  Trace t = trace_of({{{.kind = Kind::kFlops, .amount = speed}}, {{.kind = Kind::kFlops, .amount = 2 * speed}}});
  EXPECT_THAT(ends(t), ElementsAre(DoubleEq(1), DoubleEq(2)));
  t.cores = {0, 0};
  EXPECT_THAT(ends(t), ElementsAre(DoubleEq(2), DoubleEq(3)));
}

TEST(Engine, StopsWhenTheTimePassesALimit) {
  const Trace trace = trace_of({{sleep(2)}, {sleep(3)}});
  const Replayed whole = replay(trace, machine(), trace.cores, {}, 3);
  EXPECT_TRUE(whole.is_over);
  EXPECT_DOUBLE_EQ(whole.simulated_time, 3);
  EXPECT_FALSE(replay(trace, machine(), trace.cores, {}, 2.9).is_over);
}

TEST(Engine, ALongMessageFlowsWhenBothAreThere) {
  const double bytes = 1 << 20;
  const auto when = [&](double sender_s, double receiver_s) {
    return ends(
        trace_of({{sleep(sender_s), send(1, bytes), wait(1)}, {sleep(receiver_s), receive(1, bytes), wait(1)}}));
  };
  const double alone = when(0, 0)[1];
  EXPECT_GT(alone, 0);
  EXPECT_THAT(when(0, 0), ElementsAre(alone, alone));
  EXPECT_THAT(when(1, 0), ElementsAre(DoubleEq(1 + alone), DoubleEq(1 + alone)));
  EXPECT_THAT(when(0, 1), ElementsAre(DoubleEq(1 + alone), DoubleEq(1 + alone)));
  // Two messages, one after the other, take twice as long.
  const double twice =
      ends(trace_of({{repeat(2, 2), send(1, bytes), wait(1)}, {repeat(2, 2), receive(1, bytes), wait(1)}}))[1];
  EXPECT_THAT(twice, DoubleEq(2 * alone));
}

TEST(Engine, AnEagerMessageDoesNotKeepItsSender) {
  const auto when = [&](double receiver_s, std::uint8_t modes) {
    return ends(trace_of({{send(1, 8, modes), wait(1)}, {sleep(receiver_s), receive(1, 8), wait(1)}}));
  };
  const std::vector<double> at_once = when(0, 0);
  EXPECT_LT(at_once[0], at_once[1]);
  EXPECT_THAT(when(1, 0), ElementsAre(at_once[0], 1));  // it has arrived long before
  EXPECT_GT(when(1, TraceStep::kSynchronous)[0], 1);
}

TEST(Engine, ABufferedSendDoesNotKeepItsSender) {
  const double bytes = 1 << 20;
  const auto when = [&](std::uint8_t modes) {
    return ends(trace_of({{send(1, bytes, modes), wait(1)}, {sleep(1), receive(1, bytes), wait(1)}}));
  };
  const std::vector<double> plain = when(0), buffered = when(TraceStep::kBuffered);
  EXPECT_GT(plain[0], 1);
  EXPECT_LT(buffered[0], 1);
  EXPECT_EQ(buffered[1], plain[1]) << "its message leaves when the receive is posted, all the same";
}

TEST(Engine, AProbeWaitsUntilAMessageIsSent) {
  const auto probe = [](int passed) { return TraceStep{.kind = Kind::kArrival, .peer = 1, .passed = passed}; };
  const auto when = [&](const std::vector<TraceStep>& receiver) {
    return ends(trace_of({{sleep(1), send(1, 8), wait(1), sleep(1), send(1, 8), wait(1)}, receiver}));
  };
  const std::vector<double> first = when({probe(0), sleep(0.5), receive(1, 8), wait(1)});
  EXPECT_GT(first[1], 1.5);
  EXPECT_NEAR(first[1], first[0] - 1 + 0.5, 1e-6) << "the second message is sent a second after the first";
  EXPECT_THAT(when({probe(1), sleep(0.5)})[1], DoubleEq(first[0] + 0.5)) << "it is the second that is found";
  EXPECT_EQ(when({sleep(3), probe(0), probe(1)})[1], 3) << "what has been sent is found at once";
}

TEST(Engine, PollingTakesTimeOfTheCore) {
  constexpr double kPolling = 1e-3;  // s
  Machine polls = machine();
  polls.polling = Figure{.value = 1, .unit = "ms", .source = "assumed: for a test", .si = kPolling};
  const auto step = [](Kind kind, double messages) { return TraceStep{.kind = kind, .amount = messages}; };
  Trace t = trace_of({{step(Kind::kPoll, 3), sleep(1), step(Kind::kLook, 1), step(Kind::kLook, 2)},
                      {step(Kind::kPoll, 4), sleep(2), step(Kind::kPolled, 4)}});
  const auto end = [&] { return replay(t, polls, t.cores).ended[0]; };
  EXPECT_THAT(end(), DoubleEq(1 + (3 + 2) * kPolling));
  t.cores = {0, 0};
  EXPECT_THAT(end(), DoubleEq(1 + (3 + 2 + 2 * 4) * kPolling)) << "the core polls for both ranks";
  EXPECT_EQ(ends(t)[0], 1) << "looking takes no time on this machine";
}

TEST(Engine, AReceivePassesOverMessages) {
  // The second message is long: it waits for its receive, which is posted first.
  const double bytes = 1 << 20;
  const std::vector<double> e = ends(trace_of({{send(1, 8), wait(1), send(1, bytes), wait(1)},
                                               {receive(1, bytes, 1), wait(1), sleep(1), receive(1, 8), wait(1)}}));
  EXPECT_LT(e[0], 1);
  EXPECT_GT(e[1], 1);
}

// Loops save space and do not change the times, even if a loop ends between two waits of one MPI_Waitall.
TEST(Engine, FoldedProgramsEndWhenTheyEndUnfolded) {
  constexpr int kRanks = 6, kPrograms = 300;
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto more = [](TraceStep step) {
    step.modes |= TraceStep::kMore;
    return step;
  };
  int loops = 0;
  for (int program = 0; program < kPrograms; ++program) {
    // Every rank sends to the rank m further on and receives from the rank m before, so no rank waits forever.
    const auto exchange = [&](std::vector<TraceStep>& steps) {
      const int messages = 1 + below(3);
      const double bytes = below(2) == 0 ? 8 : 100'000;
      for (int m = 1; m <= messages; ++m) {
        steps.push_back(send(m, bytes, TraceStep::kImmediate));
        steps.push_back(receive(kRanks - m, bytes));
      }
      const bool together = below(3) > 0;
      for (int w = 2 * messages; w > 0; --w) steps.push_back(together && w > 1 ? more(wait(w)) : wait(w));
    };
    std::vector<TraceStep> whole;
    for (int part = 1 + below(3); part > 0; --part) {
      std::vector<TraceStep> body;
      for (int e = 1 + below(3); e > 0; --e) exchange(body);
      for (int times = 1 + below(5); times > 0; --times) whole.insert(whole.end(), body.begin(), body.end());
    }
    StepFolder folder;
    for (const TraceStep& step : whole) folder.add(step);
    loops += folder.steps().size() < whole.size() ? 1 : 0;
    const std::vector<std::vector<TraceStep>> unfolded(kRanks, whole), folded(kRanks, folder.steps());
    ASSERT_EQ(ends(trace_of(folded)), ends(trace_of(unfolded))) << "program " << program << " by seed 1";
  }
  EXPECT_GT(loops, kPrograms / 2);
}

TEST(Engine, RanksMeetAndStartTogether) {
  const TraceStep read{.kind = Kind::kReadClock, .number = 0}, start{.kind = Kind::kStartTogether, .number = 0};
  EXPECT_THAT(ends(trace_of({{sleep(1), meet(), sleep(1)}, {sleep(2), meet()}})), ElementsAre(3, 2));
  EXPECT_THAT(ends(trace_of({{read, sleep(0.5), start}, {sleep(0.25), read, start}})), ElementsAre(1.25, 1.25));
  // Programs have a reduction between the two calls, so that all ranks have read the clock.
  EXPECT_THAT(ends(trace_of({{repeat(2, 3), read, meet(), start}, {repeat(2, 4), sleep(0.25), read, meet(), start}})),
              ElementsAre(2.5, 2.5));
}

TEST(Engine, AWindowsLockIsForOneRankAtATime) {
  const auto lock = [](int peer) { return TraceStep{.kind = Kind::kLock, .peer = peer, .number = 2}; };
  const auto unlock = [](int peer) { return TraceStep{.kind = Kind::kUnlock, .peer = peer, .number = 2}; };
  // Ranks 0 to 2 use a lock of rank 0. Rank 2 asks before rank 1 and gets it first; rank 3 uses another lock of that
  // window, which is free.
  const TraceStep other{.kind = Kind::kLock, .peer = 1, .number = 3};
  EXPECT_THAT(ends(trace_of({{lock(0), sleep(4), unlock(0), sleep(1)},
                             {sleep(2), lock(3), sleep(1), unlock(3)},
                             {sleep(1), lock(2), sleep(2), unlock(2)},
                             {other, sleep(3)}})),
              ElementsAre(5, 7, 6, 3));
}

TEST(Engine, AFlushWaitsForWhatTheWindowKeeps) {
  const double bytes = 1 << 20;
  const TraceStep put{.kind = Kind::kPut, .peer = 1, .amount = bytes}, flush{.kind = Kind::kFlush};
  const auto when = [&](const std::vector<TraceStep>& origin, const std::vector<TraceStep>& target) {
    return ends(trace_of({origin, target}));
  };
  // The message starts at once, however long it is, and occupies its sender only for the overhead. Either the target
  // waits for it, or the origin does, through the target's window.
  const std::vector<double> alone = when({put}, {sleep(1e-6), flush});
  EXPECT_LT(alone[0], alone[1]);
  EXPECT_THAT(when({put}, {sleep(1), flush}), ElementsAre(alone[0], 1));
  EXPECT_THAT(when({put, {.kind = Kind::kFlush, .peer = 1}}, {}), ElementsAre(alone[1], 0));
  EXPECT_THAT(when({put, {.kind = Kind::kFlushOne, .peer = 1, .tag = 0}}, {}), ElementsAre(alone[1], 0));
  const TraceStep accumulate{.kind = Kind::kAccumulate, .peer = 1, .amount = bytes};
  EXPECT_EQ(when({accumulate}, {sleep(1e-6), flush}), alone);
  for (const Kind kind : {Kind::kPut, Kind::kAccumulate}) {
    const TraceStep held{.kind = kind, .modes = TraceStep::kHeld, .peer = 1, .amount = bytes};
    EXPECT_EQ(when({held, wait(1)}, {sleep(1e-6), flush}), alone) << "its bytes have left the origin at once";
  }
  // The origin itself waits for the bytes that it fetches.
  const TraceStep get{.kind = Kind::kGet, .peer = 1, .amount = bytes};
  const TraceStep held{.kind = Kind::kGet, .modes = TraceStep::kHeld, .peer = 1, .amount = bytes};
  EXPECT_THAT(when({get, flush}, {}), ElementsAre(alone[1], 0));
  EXPECT_THAT(when({held, flush, wait(1)}, {}), ElementsAre(alone[1], 0));
  EXPECT_LT(when({held, flush}, {})[0], alone[1]);
  // A flush of one window does not wait for messages of another.
  EXPECT_THAT(when({put}, {sleep(1e-6), {.kind = Kind::kFlush, .number = 1}})[1], DoubleEq(1e-6));
}

std::string refusal(const Trace& trace) {
  try {
    replay(trace, machine(), trace.cores);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Engine, ADeadlockIsReported) {
  EXPECT_THAT(refusal(trace_of({{receive(1, 8), wait(1)}, {sleep(1), receive(1, 8), wait(1)}})),
              HasSubstr("no rank can go on: rank 0 waits for rank 1 (receive of up to 8 B), rank 1 waits for rank 0"));
  EXPECT_THAT(refusal(trace_of({{send(1, 1 << 20), wait(1)}, {}})),
              HasSubstr("rank 0 waits for rank 1 (send of 1048576 B)"));
  EXPECT_THAT(refusal(trace_of({{{.kind = Kind::kMeet, .number = 0}}, {}, {}, {}})),
              HasSubstr("rank 0 waits at a barrier"));
  const std::vector<TraceStep> stuck = {receive(4, 8), wait(1)};
  EXPECT_THAT(refusal(trace_of({stuck, {}, stuck, stuck, stuck})),
              HasSubstr("rank 3 waits for rank 2 (receive of up to 8 B) and 1 more"));
  Trace t = trace_of({{}, {}});
  t.not_recorded = {"MPI_File_open"};
  EXPECT_THAT(refusal(t), HasSubstr("calls MPI_File_open, which a trace does not hold"));
  const TraceStep lock{.kind = Kind::kLock, .number = 0};
  EXPECT_THAT(refusal(trace_of({{lock, lock}})), HasSubstr("rank 0 waits at a barrier, a lock"));
  EXPECT_THAT(refusal(trace_of({{{.kind = Kind::kUnlock, .number = 0}}})),
              HasSubstr("rank 0 unlocks what it has not locked"));
}

}  // namespace
}  // namespace strata::replay
