// SPDX-License-Identifier: LGPL-2.1-only
// Critical paths and slack: by hand, and on random programs. The pieces of a path follow one another and add up to the
// time of the replay. If no links are shared, the path alone explains all of that time. A message with a delay above
// its slack delays the end by the difference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "platforms/machine.h"
#include "platforms/what_if.h"
#include "replay/engine.h"
#include "replay/replayed_path.h"
#include "replay/slack.h"
#include "tests/process/process.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

constexpr double kRelative = 1e-9;

const Machine& machine() {
  static const Machine m = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  return m;
}

// The same machine with links that are never full, and without figures of its memory.
const Machine& wide() {
  static const Machine m = [] {
    std::vector<WhatIf> changes;
    for (const LevelCosts& c : machine().levels)
      changes.push_back({"test", c.level + ".link_bandwidth", 1e6, "", "assumed: for a test"});
    Machine changed = what_if(machine(), changes);
    changed.memory.reset();
    return changed;
  }();
  return m;
}

// The same, and receivers are busy with each message.
const Machine& busy() {
  static const Machine m = [] {
    Machine changed = wide();
    for (LevelCosts& c : changed.levels) {
      c.receive_overhead = c.latency;
      c.receive_overhead->si = c.receive_overhead->value = 0.4 * (c.latency.si - c.overhead.si);
      c.receive_overhead->unit = "s";
    }
    return changed;
  }();
  return m;
}

struct Replay {
  Replay(const Trace& trace, const Machine& m) {
    seconds = replay(trace, m, trace.cores, {.history = &history}).simulated_time;
    steps = critical_steps(history);
    path = critical_path(steps, history, m, trace.cores);
  }
  History history;
  double seconds;
  std::vector<PathStep> steps;
  CriticalPath path;
};

double sum(const std::vector<PathShare>& shares) {
  double all = 0;
  for (const PathShare& s : shares) all += s.seconds();
  return all;
}

void expect_whole(const Replay& run) {
  const CriticalPath& p = run.path;
  EXPECT_EQ(p.seconds, run.seconds);
  double at = 0;
  for (const PathPiece& piece : p.pieces) {
    EXPECT_EQ(piece.from, at);
    EXPECT_GT(piece.to, piece.from);
    at = piece.to;
  }
  EXPECT_EQ(at, run.seconds);
  for (const double parts : {p.whole.seconds(), sum(p.by_rank), sum(p.by_function), sum(p.by_level)})
    EXPECT_NEAR(parts, run.seconds, kRelative * run.seconds);
  EXPECT_EQ(p.whole.seconds(PathKind::kWaiting), 0);
}

double of(const CriticalPath& path, PathKind kind) { return path.whole.seconds(kind); }

TEST(CriticalPath, GoesAlongTheMessageThatIsWaitedFor) {
  const double second = machine().core_speed.si, bytes = 1 << 20;
  const Replay run(trace_of({{flops(second), call(0), send(1, bytes, TraceStep::kImmediate), wait(1)},
                             {call(0), receive(3, bytes), wait(1), call(-1), flops(second / 2)},
                             {flops(second)},
                             {}}),
                   machine());
  expect_whole(run);
  EXPECT_EQ(run.path.last_rank, 1);
  ASSERT_EQ(run.steps.size(), 4);
  EXPECT_THAT(of(run.path, PathKind::kComputing), DoubleEq(1.5));
  EXPECT_GT(of(run.path, PathKind::kOverhead), 0);
  EXPECT_GT(of(run.path, PathKind::kLatency), 0);
  EXPECT_NEAR(of(run.path, PathKind::kTransfer), (bytes + 16) / machine().levels.front().bandwidth.si, 1);
  EXPECT_EQ(of(run.path, PathKind::kContention), 0);
  EXPECT_EQ(run.path.whole.messages, 1);
  // The longest part is rank 0's second, then come rank 1's message and half a second.
  EXPECT_EQ(run.path.by_rank.front().index, 0);
  EXPECT_EQ(run.path.by_rank.back().index, 1);
  EXPECT_EQ(run.path.by_function.front().index, -1);
}

TEST(CriticalPath, GoesOnAtTheOneThatCameLast) {
  const double second = machine().core_speed.si;
  const Replay run(trace_of({{flops(second), meet(), flops(second)}, {flops(2 * second), meet()}}), machine());
  expect_whole(run);
  EXPECT_EQ(run.seconds, 3);
  EXPECT_THAT(run.path.by_rank,
              ElementsAre(::testing::Field(&PathShare::index, 1), ::testing::Field(&PathShare::index, 0)));
  const TraceStep read{.kind = TraceStep::Kind::kReadClock}, start{.kind = TraceStep::Kind::kStartTogether};
  const Replay together(trace_of({{read, flops(second / 2), start}, {flops(second / 4), read, start}}), machine());
  expect_whole(together);
  EXPECT_THAT(of(together.path, PathKind::kSleeping), DoubleEq(1));
  EXPECT_THAT(of(together.path, PathKind::kComputing), DoubleEq(0.25));
}

TEST(CriticalPath, SaysWhatIsContention) {
  // All ranks of a node send to the next node: their messages share a link, and each takes longer than alone.
  const double bytes = 1 << 24;
  const int cores = static_cast<int>(machine().topology->cores().size()) / machine().topology->num_nodes();
  const auto per_node = static_cast<std::size_t>(cores);
  std::vector<std::vector<TraceStep>> ranks(2 * per_node);
  std::vector<TraceStep> sends(1, send(cores, bytes, TraceStep::kImmediate)), receives(1, receive(cores, bytes));
  sends.push_back(wait(1));
  receives.push_back(wait(1));
  for (std::size_t r = 0; r < per_node; ++r) {
    ranks[r] = sends;
    ranks[per_node + r] = receives;
  }
  const Replay run(trace_of(ranks), machine()), alone_run(trace_of(ranks), wide());
  expect_whole(run);
  expect_whole(alone_run);
  EXPECT_EQ(of(alone_run.path, PathKind::kContention), 0);
  EXPECT_NEAR(of(run.path, PathKind::kContention), run.seconds - alone_run.seconds, kRelative * run.seconds);
  EXPECT_GT(of(run.path, PathKind::kContention), 0);
}

class RandomPrograms : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomPrograms, PiecesAddUp) {
  for (const Machine* m : {&machine(), &wide(), &busy()}) {
    RandomProgram random(GetParam());
    const Trace trace = random.make(6, 60, 1e-4 * machine().core_speed.si, m == &machine());
    const Replay run(trace, *m);
    expect_whole(run);
    EXPECT_EQ(run.seconds, replay(trace, *m, trace.cores).simulated_time);
    Costs costs(*m);
    const double contention = of(run.path, PathKind::kContention);
    EXPECT_NEAR(alone(run.steps, run.history, trace.cores, costs) + contention, run.seconds, kRelative * run.seconds);
    if (m != &machine()) {
      EXPECT_EQ(contention, 0);
    }
  }
}

class Delayed : public History {
 public:
  Delayed(std::int64_t message, double seconds) : message_(message), seconds_(seconds) {}
  double delay(std::int64_t message) override { return message == message_ ? seconds_ : 0; }

 private:
  std::int64_t message_;
  double seconds_;
};

double with_delay(const Trace& trace, std::int64_t message, double seconds) {
  Delayed history(message, seconds);
  return replay(trace, wide(), trace.cores, {.history = &history}).simulated_time;
}

// Delays every message of a program by less than its slack, and by more. The message has the same number in both
// replays, because nothing differs before it starts.
TEST_P(RandomPrograms, ADelayShowsAboveTheSlack) {
  RandomProgram random(GetParam());
  const Trace trace = random.make(5, 25, 1e-5 * machine().core_speed.si, false);
  const Replay run(trace, wide());
  const std::vector<double> slack = slack_of_messages(run.history);
  int none = 0, some = 0;
  for (std::size_t m = 0; m < slack.size(); ++m) {
    ASSERT_NE(slack[m], History::kNever) << "all are waited for";
    (slack[m] < SlackSummary::kRounding ? none : some) += 1;
    for (const double delay : {0.5 * slack[m], 0.99 * slack[m], slack[m] + 1e-6, 2 * slack[m] + 1e-4}) {
      const double above = std::max(0.0, delay - slack[m]);
      EXPECT_NEAR(with_delay(trace, static_cast<std::int64_t>(m), delay), run.seconds + above, kRelative * run.seconds)
          << "message " << m << ", slack " << slack[m] << " s, delay " << delay << " s";
    }
  }
  std::printf("seed %u: %zu messages, %d without slack\n", GetParam(), slack.size(), none);
  for (const PathStep& s : run.steps) {
    if (s.message >= 0) {
      EXPECT_LT(slack[s.message], SlackSummary::kRounding);
    }
  }
  EXPECT_GT(some, 0);
  const SlackSummary summary = summary_of(slack, run.history, wide(), trace.cores);
  EXPECT_EQ(summary.messages.front(), none);
  EXPECT_EQ(summary.unawaited, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, ::testing::Range(1U, 13U));

}  // namespace
}  // namespace strata::replay
