// SPDX-License-Identifier: LGPL-2.1-only
// Recorded spans of buffers on machines whose caches go by buffers, and on others. Times are worked out from the
// figures of small_machine.h and these: two nodes with an L3 of 100 kB each, and a memory of 0.5 GB/s.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "replay/history.h"
#include "replay/replayed_path.h"
#include "tests/replay/small_machine.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using ::testing::DoubleNear;
using Kind = TraceStep::Kind;

auto us(double microseconds) { return DoubleNear(microseconds, 1e-5); }

Machine machine(CachedBy cached = CachedBy::kBuffers) {
  Machine m = small_machine("node:2 [numa] l3:1(size=100000) core:2 pu:1");
  m.memory = MemoryCosts{.bandwidth = {0.5e9, "B/s", "assumed: for a test", 0.5e9}, .cached = cached};
  return m;
}

TraceStep with_span(TraceStep step, double span) {
  step.moved = span;
  return step;
}

constexpr double kLong = 9984, kShort = 884;  // 10,000 and 900 B on the wire
constexpr double kWide = 100'001;             // B: more than the L3 has

// A long message between neighbours, with these spans: when it has arrived, us. Its sender waits.
double neighbours(double source, double destination, const Machine& m, bool native = false) {
  Trace t = trace_of(
      {{with_span(send(1, kLong), source), wait(1)}, {with_span(receive(3, kLong), destination), wait(1)}, {}, {}});
  t.native = native;
  return ends_us(t, m)[1];
}

constexpr double kWithoutOverhead = 0.75;  // us

TEST(ReplayedBuffers, MessagesUseMemoryAtTheEndsWhoseSpansAreWide) {
  for (const bool native : {false, true}) {
    EXPECT_THAT(neighbours(0, 0, machine(), native), us(kWithoutOverhead + 2.5)) << "at 4 GB/s";
    EXPECT_THAT(neighbours(kWide, 0, machine(), native), us(kWithoutOverhead + 20));
    EXPECT_THAT(neighbours(0, kWide, machine(), native), us(kWithoutOverhead + 20));
    EXPECT_THAT(neighbours(kWide, kWide, machine(), native), us(kWithoutOverhead + 40));
    // The other end needs 2 x 9,984 B.
    EXPECT_THAT(neighbours(80'032, 0, machine(), native), us(kWithoutOverhead + 2.5));
    EXPECT_THAT(neighbours(80'033, 0, machine(), native), us(kWithoutOverhead + 20));
    EXPECT_THAT(neighbours(50'000, 50'000, machine(), native), us(kWithoutOverhead + 2.5));
    EXPECT_THAT(neighbours(50'000, 50'001, machine(), native), us(kWithoutOverhead + 20)) << "one has its half";
    EXPECT_THAT(neighbours(50'001, 50'001, machine(), native), us(kWithoutOverhead + 40));
  }
}

TEST(ReplayedBuffers, SpansHaveNoEffectElsewhere) {
  const Machine m = machine(CachedBy::kMessages);
  EXPECT_THAT(neighbours(kWide, kWide, m), us(kWithoutOverhead + 2.5));
  EXPECT_THAT(ends_us(trace_of({{{.kind = Kind::kCopy, .amount = 4000, .moved = kWide}}}), m)[0], us(2));
}

TEST(ReplayedBuffers, CopiesAndCombinationsUseMemory) {
  const auto alone = [](Kind kind, double span, bool native = false) {
    Trace t = trace_of({{{.kind = kind, .amount = 4000, .moved = span}}});
    t.native = native;
    return ends_us(t, machine())[0];
  };
  for (const bool native : {false, true}) {
    EXPECT_THAT(alone(Kind::kCopy, 0, native), us(2));
    EXPECT_THAT(alone(Kind::kCopy, 100'000, native), us(2));
    EXPECT_THAT(alone(Kind::kCopy, kWide, native), us(16)) << "2 x 4,000 B at 0.5 GB/s";
    EXPECT_THAT(alone(Kind::kCombine, 0, native), us(2));
    EXPECT_THAT(alone(Kind::kCombine, kWide, native), us(16)) << "3 x 4,000 B at 0.75 GB/s";
  }
}

// A short message between nodes takes 10 us and 900 B at 1 GB/s, or at 0.5 GB/s.
TEST(ReplayedBuffers, ShortMessagesKnowTheReceiversBufferIfItIsPosted) {
  const auto arrival = [](double source, double destination, double sleep_s, bool native) {
    Trace t = trace_of({{with_span(send(2, kShort), source), wait(1)},
                        {},
                        {sleep(sleep_s), with_span(receive(2, kShort), destination), wait(1)},
                        {}});
    t.native = native;
    return ends_us(t, machine())[2];
  };
  EXPECT_THAT(arrival(0, kWide, 0, false), us(11.8));
  EXPECT_THAT(arrival(0, kWide, 5e-6, false), us(10.9));
  EXPECT_THAT(arrival(kWide, kWide, 5e-6, false), us(11.8));
  // A real library's message does not know it.
  EXPECT_THAT(arrival(0, kWide, 0, true), us(10.9));
  EXPECT_THAT(arrival(kWide, 0, 0, true), us(11.8));
}

// The time of a message alone, without contention.
TEST(ReplayedBuffers, ACriticalPathHasThem) {
  const Trace t =
      trace_of({{with_span(send(1, kLong), kWide), wait(1)}, {with_span(receive(3, kLong), kWide), wait(1)}, {}, {}});
  const Machine m = machine();
  History history;
  replay(t, m, t.cores, {.history = &history});
  Costs costs(m);
  ASSERT_EQ(history.messages().size(), 1U);
  const History::Message& message = history.messages()[0];
  EXPECT_EQ(message.spans.source, kWide);
  EXPECT_EQ(message.spans.destination, kWide);
  EXPECT_THAT(costs.message(0, 1, kLong, message.spans).transfer / kMicrosecond, us(40));
  EXPECT_THAT(costs.message(0, 1, kLong, {}).transfer / kMicrosecond, us(2.5));
}

}  // namespace
}  // namespace strata::replay
