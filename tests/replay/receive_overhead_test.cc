// SPDX-License-Identifier: LGPL-2.1-only
// Times of receivers that are busy with each message, worked out from the figures of small_machine.h and these: of the
// latency, taking a message takes 3 us between nodes, and 0.5 us within one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "replay/replayed_path.h"
#include "tests/replay/small_machine.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

auto us(double microseconds) { return DoubleNear(microseconds, 1e-5); }
MATCHER(IsNear, "") { return std::abs(std::get<0>(arg) - std::get<1>(arg)) < 1e-5; }

constexpr double kShort = 84, kLong = 1984;  // 100 and 2000 B on the wire
constexpr double kOfNetwork = 3, kInNode = 0.5;

Figure microseconds(double us) { return {.value = us, .unit = "us", .source = "assumed: for a test", .si = us * 1e-6}; }

Machine busy_receivers(const std::string& tree = "node:2 core:2 pu:1") {
  Machine m = small_machine(tree);
  for (LevelCosts& c : m.levels) c.receive_overhead = microseconds(&c == &m.levels.front() ? kOfNetwork : kInNode);
  return m;
}

TraceStep sleep_us(double microseconds) { return sleep(microseconds * kMicrosecond); }
TraceStep more(TraceStep step) {
  step.modes |= TraceStep::kMore;
  return step;
}

// Rank 2 wants rank 0's k messages, which are there, in reverse: a search passes k - 1, the next k - 2.
TEST(QueueSearch, AReceiverPassesMessagesThatItDoesNotWant) {
  constexpr double kSearch = 0.3;  // us
  for (const int k : {1, 2, 5, 9}) {
    std::vector<std::vector<TraceStep>> ranks(4);
    ranks[2].push_back(sleep(100 * kMicrosecond));
    for (int m = 0; m < k; ++m) {
      ranks[0].insert(ranks[0].end(), {send(2, kShort), wait(1)});
      ranks[2].insert(ranks[2].end(), {receive(2, kShort, k - 1 - m), wait(1)});
    }
    Machine m = small_machine();
    EXPECT_THAT(ends_us(trace_of(ranks), m)[2], DoubleNear(100, 1e-5));
    m.queue_search = Figure{.value = kSearch, .unit = "us", .source = "assumed: for a test", .si = kSearch * 1e-6};
    EXPECT_THAT(ends_us(trace_of(ranks), m)[2], DoubleNear(100 + k * (k - 1) * kSearch / 2, 1e-5)) << k;
    // With a real library the engine's own lists are not searched.
    Trace native = trace_of(ranks);
    native.native = true;
    Machine without = small_machine();
    EXPECT_EQ(ends_us(native, m), ends_us(native, without)) << k;
  }
}

// Rank 0's messages are for the last of k receives, then for the one before. Searches take longer than the messages,
// whose sender starts one each 2 us.
TEST(QueueSearch, MessagesPassReceivesThatDoNotWantThem) {
  constexpr double kSearch = 20;  // us
  for (const int k : {1, 2, 5, 9}) {
    std::vector<std::vector<TraceStep>> ranks(4);
    ranks[0].push_back(sleep(100 * kMicrosecond));
    for (int m = 0; m < k; ++m) {
      ranks[0].insert(ranks[0].end(), {send(2, kShort), wait(1)});
      ranks[2].push_back(receive(2, kShort, k - 1 - m));
    }
    for (int m = 1; m <= k; ++m) ranks[2].push_back(m < k ? more(wait(m)) : wait(m));
    Machine m = small_machine();
    m.queue_search = Figure{.value = kSearch, .unit = "us", .source = "assumed: for a test", .si = kSearch * 1e-6};
    const double first_us = 100 + 10 + 0.1;
    EXPECT_THAT(ends_us(trace_of(ranks), m)[2], DoubleNear(first_us + k * (k - 1) * kSearch / 2, 1e-5)) << k;
  }
}

TEST(ReceiveOverhead, APingPongTakesAsLongAsWithoutIt) {
  for (const double bytes : {0.0, kShort, kLong}) {
    for (const int other : {1, 2}) {
      std::vector<std::vector<TraceStep>> ranks(4);
      ranks[0] = {send(other, bytes, TraceStep::kImmediate), wait(1), receive(other, bytes), wait(1)};
      ranks[other] = {receive(4 - other, bytes), wait(1), send(4 - other, bytes, TraceStep::kImmediate), wait(1)};
      const std::vector<double> with = ends_us(trace_of(ranks), busy_receivers()), without = ends_us(trace_of(ranks));
      EXPECT_NEAR(with[0], without[0], 1e-5) << bytes << " B, rank " << other;
    }
  }
}

// A sender is free when the message has arrived, its receiver when it has taken it.
TEST(ReceiveOverhead, OneMessage) {
  const auto ends = [](double bytes, double late_us) {
    return ends_us(trace_of({{send(2, bytes), wait(1)}, {}, {sleep_us(late_us), receive(2, bytes), wait(1)}, {}}),
                   busy_receivers());
  };
  EXPECT_THAT(ends(kShort, 0), ElementsAre(us(2), us(0), us(10 + 0.1), us(0)));
  EXPECT_THAT(ends(kShort, 50), ElementsAre(us(2), us(0), us(50 + 3), us(0))) << "it is there";
  // A blocking send above the eager limit has no overhead: 10 - 2 - 3 us on the wire.
  EXPECT_THAT(ends(kLong, 0), ElementsAre(us(5 + 2), us(0), us(5 + 2 + 3), us(0)));
  EXPECT_THAT(ends(kLong, 5), ElementsAre(us(5 + 5 + 2), us(0), us(5 + 5 + 2 + 3), us(0)));
}

// k senders on different nodes. Their messages share the link of the root's node.
TEST(ReceiveOverhead, AReceiverTakesOneMessageAfterTheOther) {
  for (const int k : {1, 2, 5}) {
    for (const bool at_once : {false, true}) {
      std::vector<std::vector<TraceStep>> ranks(static_cast<std::size_t>(k) + 1);
      for (int s = 1; s <= k; ++s) {
        ranks[s] = {send(k + 1 - s, kShort), wait(1)};
        ranks[0].push_back(receive(s, kShort));
      }
      for (int s = k; s >= 1; --s) ranks[0].push_back(at_once && s > 1 ? more(wait(s)) : wait(s));
      const Machine m = busy_receivers("node:6 core:1 pu:1");
      EXPECT_THAT(ends_us(trace_of(ranks), m)[0], us(10 + k * 0.1 + (k - 1) * kOfNetwork)) << k;
    }
  }
}

// Two ranks send two messages to each other: what strata calibrate takes the receive overhead from. The first message
// is taken when it has arrived and both are sent, the second when the first is taken.
TEST(ReceiveOverhead, AnExchangeOfTwoMessages) {
  constexpr double kLatency = 10, kBytes = 0.1;  // us
  for (const double sent : {0.0, 1.0, 2.0, 4.0}) {
    for (const double received : {0.0, 1.0, 3.0, 6.0}) {
      Machine m = busy_receivers("node:2 core:1 pu:1");
      m.levels.front().overhead = microseconds(sent);
      m.levels.front().receive_overhead = microseconds(received);
      const std::vector<TraceStep> exchange = {receive(1, kShort),
                                               receive(1, kShort),
                                               send(1, kShort, TraceStep::kImmediate),
                                               send(1, kShort, TraceStep::kImmediate),
                                               more(wait(4)),
                                               more(wait(3)),
                                               more(wait(2)),
                                               wait(1)};
      const double wire = kLatency - sent - received;
      const double taken = std::max(2 * sent, sent + wire + kBytes) + received;
      // Messages that depart together share the link.
      const double second = sent > 0 ? 2 * sent + wire + kBytes : wire + 2 * kBytes;
      const double end = std::max(taken, second) + received;
      EXPECT_NEAR(ends_us(trace_of({exchange, exchange}), m)[0], end, 2 * kBytes) << sent << " and " << received;
    }
  }
}

// While the root is busy with the first message, the second arrives; the third comes later.
TEST(ReceiveOverhead, WaitsForSeveralBeginWithTheFirstThatArrives) {
  const Machine m = busy_receivers("node:4 core:1 pu:1");
  const auto end = [&](double third_us) {
    return ends_us(
        trace_of({{receive(1, kShort), receive(2, kShort), receive(3, kShort), more(wait(3)), more(wait(2)), wait(1)},
                  {sleep_us(third_us), send(3, kShort), wait(1)},
                  {send(2, kShort), wait(1)},
                  {sleep_us(1), send(1, kShort), wait(1)}}),
        m)[0];
  };
  // They arrive at 7.1 and 8.1 us: the root has taken them at 10.1 and 13.1 us.
  EXPECT_THAT(end(2), us(10.1 + 3 + 3));
  EXPECT_THAT(end(20), us(20 + 10.1));
}

TEST(ReceiveOverhead, OfItsSize) {
  Machine m = busy_receivers();
  LevelCosts& network = m.levels.front();
  network.segments = {{.from = {50, "B", "assumed: for a test", 50},
                       .latency = microseconds(10),
                       .overhead = microseconds(4),
                       .bandwidth = network.bandwidth,
                       .receive_overhead = microseconds(1)}};
  const auto ends = [&](double bytes) {
    return ends_us(trace_of({{send(2, bytes), wait(1), send(2, bytes), wait(1)},
                             {},
                             {sleep_us(50), receive(2, bytes), wait(1), receive(2, bytes), wait(1)},
                             {}}),
                   m);
  };
  EXPECT_THAT(ends(kShort), ElementsAre(us(2 * 4), us(0), us(50 + 2 * 1), us(0)));
  EXPECT_THAT(ends(10), ElementsAre(us(2 * 2), us(0), us(50 + 2 * 3), us(0)));
  // Left out: that of the level, at most what the latency leaves.
  network.segments[0].receive_overhead.reset();
  EXPECT_THAT(ends(kShort), ElementsAre(us(2 * 4), us(0), us(50 + 2 * 3), us(0)));
  network.segments[0].overhead = microseconds(9);
  EXPECT_THAT(ends(kShort), ElementsAre(us(2 * 9), us(0), us(50 + 2 * 1), us(0)));
}

TEST(ReceiveOverhead, NotOfAMessageToItself) {
  const Trace t = trace_of({{receive(0, kShort), send(0, kShort, TraceStep::kImmediate), wait(2), wait(1)}});
  EXPECT_THAT(ends_us(t, busy_receivers()), Pointwise(IsNear(), ends_us(t)));
}

TEST(ReceiveOverhead, IsPartOfTheCriticalPath) {
  const Trace t = trace_of({{receive(1, kShort), receive(2, kShort), more(wait(2)), wait(1)},
                            {send(2, kShort), wait(1)},
                            {send(1, kShort), wait(1)}});
  const Machine m = busy_receivers("node:3 core:1 pu:1");
  History history;
  replay(t, m, t.cores, {.history = &history});
  const std::vector<PathStep> steps = critical_steps(history);
  const CriticalPath path = critical_path(steps, history, m, t.cores);
  std::vector<PathKind> kinds;
  std::vector<double> lengths;
  for (const PathPiece& p : path.pieces) {
    kinds.push_back(p.kind);
    lengths.push_back((p.to - p.from) / kMicrosecond);
  }
  EXPECT_THAT(kinds, ElementsAre(PathKind::kOverhead, PathKind::kLatency, PathKind::kTransfer, PathKind::kContention,
                                 PathKind::kOverhead, PathKind::kOverhead));
  EXPECT_THAT(lengths, ElementsAre(us(2), us(5), us(0.1), us(0.1), us(3), us(3)));
  Costs costs(m);
  EXPECT_THAT(alone(steps, history, t.cores, costs) / kMicrosecond, us(2 + 5 + 0.1 + 3 + 3));
}

}  // namespace
}  // namespace strata::replay
