// SPDX-License-Identifier: LGPL-2.1-only
// Receivers that are busy with each message. Times follow by hand on the unit machine (unit_machine.h) with other
// overheads: of the latency of 1 us, 0.25 us occupy the sender and 0.5 us the receiver.
#include <gtest/gtest.h>

#include <string>

#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

constexpr double kUs = 1e-6, kLatency = 1 * kUs, kReceive = 0.5 * kUs;
constexpr double kEager = 800, kLong = 8000;  // B
constexpr double kEnvelope = 16;              // B
constexpr double kTime = 1e-12;               // s: SimGrid's precision

class ReceiveOverhead : public UnitMachine {
 protected:
  // When rank 0 is done, with or without receive overheads.
  double time_of(const std::string& way, int ranks, double bytes, bool busy = true, double search_ns = 0) {
    std::string text = unit_machine();
    if (search_ns > 0) {
      text.replace(text.find("  eager_limit"), 0,
                   "  queue_search: {value: " + std::to_string(search_ns) + ", unit: ns, source: measured}\n");
    }
    const std::string all = "overhead: {value: 1, unit: us, source: measured}";
    for (std::size_t at = text.find(all); at != std::string::npos; at = text.find(all, at + 1)) {
      text.replace(at, all.size(),
                   std::string("overhead: {value: 0.25, unit: us, source: measured}") +
                       (busy ? ", receive_overhead: {value: 0.5, unit: us, source: measured}" : ""));
    }
    folder_.write("machine.yaml", text);
    const auto values = run(built("tests/sim/many_to_one.so"), ranks, "way: [" + way + "]",
                            "arguments: [--bytes, " + std::to_string(static_cast<int>(bytes)) + "]\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    for (const auto& [point, value] : values.at("time")) {
      if (point.back() == '0') return value;
    }
    return -1;
  }
};

TEST_F(ReceiveOverhead, APingPongTakesAsLongAsWithoutIt) {
  for (const double bytes : {0.0, kEager, kLong}) {
    const double expected = kLatency + (bytes + kEnvelope) * kNs;
    EXPECT_NEAR(time_of("pingpong", 2, bytes, false), expected, kTime);
    EXPECT_NEAR(time_of("pingpong", 2, bytes, true), expected, kTime);
  }
}

// The messages share the link into the core of rank 0.
TEST_F(ReceiveOverhead, AReceiverTakesOneMessageAfterTheOther) {
  for (const double bytes : {kEager, kLong}) {
    for (const int k : {1, 3, 7}) {
      const double expected = kLatency + k * (bytes + kEnvelope) * kNs + (k - 1) * kReceive;
      EXPECT_NEAR(time_of("all", k + 1, bytes), expected, kTime) << k << " senders";
    }
  }
  const double expected = kLatency + 3 * (kEager + kEnvelope) * kNs + 2 * kReceive;
  EXPECT_NEAR(time_of("each", 4, kEager), expected, kTime);
}

// All k messages have passed the receive of the token. Then the last is wanted first: k + k (k - 1) / 2 are passed.
TEST_F(ReceiveOverhead, AReceiverPassesMessagesThatItDoesNotWant) {
  for (const int k : {3, 5, 8}) {
    for (const double search_ns : {20.0, 300.0}) {
      const double with = time_of("unexpected", k, 0, false, search_ns), without = time_of("unexpected", k, 0, false);
      EXPECT_NEAR(with - without, k * (k + 1) * search_ns / 2 * kNs, kTime) << k << " messages";
    }
  }
}

// The first of k messages passes k - 1 receives, the next k - 2. The searches take longer than the messages, which
// leave 0.25 us after one another.
TEST_F(ReceiveOverhead, MessagesPassReceivesThatDoNotWantThem) {
  constexpr double kSearch = 2000;  // ns
  for (const int k : {2, 5, 8}) {
    const double with = time_of("posted", k, 0, false, kSearch), without = time_of("posted", k, 0, false);
    EXPECT_NEAR(with - without, k * (k - 1) * kSearch / 2 * kNs - (k - 1) * 0.25 * kUs, kTime) << k << " receives";
  }
}

// A test that finds a message takes it. Polling adds its own time (simulated-time.md).
TEST_F(ReceiveOverhead, ATestTakesTheMessageThatItFinds) {
  const double with = time_of("test", 4, kEager), without = time_of("test", 4, kEager, false);
  EXPECT_GT(with, without + 1.5 * kReceive);
}

}  // namespace
}  // namespace strata
