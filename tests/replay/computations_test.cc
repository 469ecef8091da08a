// SPDX-License-Identifier: LGPL-2.1-only
// Times of computations and copies, worked out from the figures of small_machine.h: on a core alone, on a shared core,
// and on cores that share a memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/replay/small_machine.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using Kind = TraceStep::Kind;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

auto us(double microseconds) { return DoubleNear(microseconds, 1e-5); }

TraceStep step(Kind kind, double amount, double moved = 0) { return {.kind = kind, .amount = amount, .moved = moved}; }

double alone(const TraceStep& work, const Machine& m = small_machine()) { return ends_us(trace_of({{work}}), m)[0]; }

// 6 GB/s for copies, in bytes read plus bytes written, and 4.5 GB/s for combinations.
Machine with_memory() {
  Machine m = small_machine();
  const auto figure = [](double si) {
    return Figure{.value = si, .unit = "B/s", .source = "assumed: for a test", .si = si};
  };
  m.memory = MemoryCosts{.bandwidth = figure(6e9), .stated_combine_bandwidth = figure(4.5e9)};
  return m;
}

TEST(ComputationTimes, OfACoreAlone) {
  EXPECT_THAT(alone(step(Kind::kFlops, 5000)), us(5));
  EXPECT_THAT(alone(step(Kind::kExecute, 5000)), us(5));
  EXPECT_THAT(alone(step(Kind::kSeconds, 3e-6)), us(3));
  EXPECT_THAT(alone(step(Kind::kCopy, 4000)), us(2));
  EXPECT_THAT(alone(step(Kind::kMessageCopy, 4000)), us(2));
  EXPECT_THAT(alone(step(Kind::kCombine, 4000)), us(2)) << "as fast as a copy";
  EXPECT_THAT(alone(step(Kind::kWork, 7000, 1e6)), us(7)) << "without a memory only the flop count";
  EXPECT_THAT(alone(step(Kind::kStream, 1000, 12'000)), us(2)) << "12 kB at three times 2 GB/s";
  EXPECT_THAT(alone(step(Kind::kStream, 3000, 12'000)), us(3)) << "the flop take longer";
  EXPECT_EQ(alone(step(Kind::kFlops, 0)), 0);
}

TEST(ComputationTimes, OnASharedCore) {
  Trace t = trace_of({{step(Kind::kFlops, 2000)}, {sleep(1e-6), step(Kind::kCopy, 4000)}, {step(Kind::kFlops, 9000)}});
  EXPECT_THAT(ends_us(t), ElementsAre(us(2), us(3), us(9)));
  // The second begins when the first has 1 us left; both take turns until 3 us, when the first ends; then it is alone.
  t.cores = {0, 0, 1};
  EXPECT_THAT(ends_us(t), ElementsAre(us(3), us(4), us(9)));
}

TEST(ComputationTimes, WithAMemoryThatIsWideEnough) {
  const Machine m = with_memory();
  EXPECT_THAT(alone(step(Kind::kFlops, 5000), m), us(5));
  EXPECT_THAT(alone(step(Kind::kSeconds, 3e-6), m), us(3));
  EXPECT_THAT(alone(step(Kind::kCopy, 4000), m), us(2)) << "at 2 GB/s; the memory could do 3";
  EXPECT_EQ(alone(step(Kind::kMessageCopy, 4000), m), 0) << "messages are their own copies";
}

TEST(ComputationTimes, WithAMemoryThatIsFull) {
  const Machine m = with_memory();
  // A combination of 3000 B moves 9000 B: at 4.5 GB/s.
  EXPECT_THAT(alone(step(Kind::kCombine, 3000), m), us(2));
  // 9000 B at 4.5 GB/s, or 1000 flop.
  EXPECT_THAT(alone(step(Kind::kWork, 1000, 9000), m), us(2));
  EXPECT_THAT(alone(step(Kind::kWork, 5000, 9000), m), us(5));
  // Each of two copies gets half of 6 GB/s, which is 1.5 GB/s of bytes copied; on two nodes both have all.
  Trace t = trace_of({{step(Kind::kCopy, 6000)}, {step(Kind::kCopy, 6000)}});
  EXPECT_THAT(ends_us(t, m), ElementsAre(us(4), us(4)));
  t.cores = {0, 2};
  EXPECT_THAT(ends_us(t, m), ElementsAre(us(3), us(3)));
}

}  // namespace
}  // namespace strata::replay
