// SPDX-License-Identifier: LGPL-2.1-only
// Times of messages that cores copy, worked out from the figures of small_machine.h and these: a message within a node
// has no overhead, and cores copy at the rate of one message, 4 GB/s. Links carry everything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/replay/small_machine.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

auto us(double microseconds) { return DoubleNear(microseconds, 1e-5); }

constexpr int kRanks = 6;
constexpr double kShort = 784, kLong = 7984;         // 800 and 8000 B on the wire
constexpr double kShortTakes = 0.2, kLongTakes = 2;  // us, alone
constexpr double kLatency = 1;                       // us

Figure rate(double bytes_per_s) { return {bytes_per_s, "B/s", "assumed: for a test", bytes_per_s}; }

// `send`, `receive`: B/s; 0: that core copies nothing.
Machine copying(double send, double receive, const std::string& tree = "node:1 core:6 pu:1") {
  Machine m = small_machine(tree);
  LevelCosts& inside = m.levels.back();
  inside.overhead = {0, "us", "assumed: for a test", 0};
  inside.latency = {1, "us", "assumed: for a test", kLatency * kMicrosecond};
  inside.bandwidth = rate(4e9);
  inside.link_bandwidth = rate(1e15);
  if (send > 0) inside.send_copy = rate(send);
  if (receive > 0) inside.receive_copy = rate(receive);
  return m;
}

TraceStep immediate(int to, double bytes) { return send(to, bytes, TraceStep::kImmediate); }

// Ranks 1 to k send to rank 0, or rank 0 to them. When the last of all ranks ends, us.
double last_end(int k, double bytes, bool to_root, const Machine& m) {
  std::vector<std::vector<TraceStep>> ranks(kRanks);
  for (int r = 1; r <= k; ++r) {
    ranks[0].push_back(to_root ? receive(r, bytes) : immediate(r, bytes));
    ranks[r] = {to_root ? immediate(kRanks - r, bytes) : receive(kRanks - r, bytes), wait(1)};
  }
  for (int r = k; r >= 1; --r) ranks[0].push_back(wait(r));
  const std::vector<double> ends = ends_us(trace_of(ranks), m);
  return *std::max_element(ends.begin(), ends.end());
}

TEST(Copies, AMessageAloneTakesAsLongAsWithoutThem) {
  for (const double bytes : {0.0, kShort, kLong}) {
    const Trace t = trace_of({{immediate(1, bytes), wait(1)}, {receive(kRanks - 1, bytes), wait(1)}, {}, {}, {}, {}});
    EXPECT_THAT(ends_us(t, copying(4e9, 4e9))[1], us(kLatency + (bytes + 16) / 4000));
    EXPECT_THAT(ends_us(t, copying(0, 4e9))[1], us(kLatency + (bytes + 16) / 4000));
  }
}

// The last of k messages arrives after all have been copied.
TEST(Copies, MessagesOfOneCoreShareItsTime) {
  for (const int k : {1, 2, 5}) {
    for (const double bytes : {kShort, kLong}) {
      const double takes = (bytes + 16) / 4000;
      for (const bool to_root : {false, true}) {
        const double sends = to_root ? 0 : 4e9, receives = to_root ? 4e9 : 0;
        EXPECT_THAT(last_end(k, bytes, to_root, copying(sends, receives)), us(kLatency + k * takes)) << k;
        EXPECT_THAT(last_end(k, bytes, to_root, copying(receives, sends)), us(kLatency + takes)) << "the others copy";
        EXPECT_THAT(last_end(k, bytes, to_root, copying(8e9, 8e9)), us(kLatency + std::max(1.0, k / 2.0) * takes));
      }
    }
  }
}

// Each core copies one message out and one in.
TEST(Copies, AnExchangeSharesBothCores) {
  const auto end = [](const Machine& m) {
    const std::vector<TraceStep> rank = {receive(1, kLong), immediate(1, kLong), wait(1), wait(2)};
    std::vector<TraceStep> other = rank;
    for (int i : {0, 1}) other[i].peer = kRanks - 1;
    return ends_us(trace_of({rank, other, {}, {}, {}, {}}), m)[0];
  };
  EXPECT_THAT(end(copying(4e9, 4e9)), us(kLatency + 2 * kLongTakes));
  EXPECT_THAT(end(copying(0, 4e9)), us(kLatency + kLongTakes));
  EXPECT_THAT(end(copying(8e9, 4e9)), us(kLatency + 1.5 * kLongTakes));
}

// A segment has its own copies, or none.
TEST(Copies, OfTheirSize) {
  Machine m = copying(4e9, 0);
  LevelCosts& inside = m.levels.back();
  inside.segments = {{.from = {5000, "B", "assumed: for a test", 5000},
                      .latency = inside.latency,
                      .overhead = inside.overhead,
                      .bandwidth = inside.bandwidth}};
  EXPECT_THAT(last_end(3, kShort, false, m), us(kLatency + 3 * kShortTakes));
  EXPECT_THAT(last_end(3, kLong, false, m), us(kLatency + kLongTakes));
  inside.segments[0].send_copy = rate(6e9);
  EXPECT_THAT(last_end(3, kLong, false, m), us(kLatency + 3 * kLongTakes * 4 / 6));
}

// With figures of the memory, a long message within a node loads its receiver's core, unless the level says who copies.
TEST(Copies, ReplaceTheNumberOfCopies) {
  const auto of = [](double send, double receive) {
    Machine m = copying(send, receive);
    m.memory = MemoryCosts{.bandwidth = rate(1e15)};
    return m;
  };
  // small_machine's cores copy 2 B/ns.
  EXPECT_THAT(last_end(1, kLong, true, of(0, 0)), us(kLatency + 2 * kLongTakes));
  EXPECT_THAT(last_end(1, kLong, true, of(0, 4e9)), us(kLatency + kLongTakes));
  EXPECT_THAT(last_end(3, kLong, true, of(4e9, 0)), us(kLatency + kLongTakes));
  EXPECT_THAT(last_end(3, kShort, true, of(0, 4e9)), us(kLatency + 3 * kShortTakes));
}

}  // namespace
}  // namespace strata::replay
