// Progress threads under SMPI: progress_mpi_program, with companion ranks as threads, on a machine whose figures are
// round, so that what a message costs can be said in closed form.
//
// A broadcast from rank 0 to rank 1 is one message between their threads. L: latency, o: its part that the sender's
// core sleeps for, b: a message's bandwidth, c: a core's copy bandwidth. Every message carries an envelope of 16 B; a
// pointer has 8 B, an RTS 4 B. From the call to the thread, and from the thread to the wait, it takes L + (8 + 16) / b.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

constexpr double kLatency = 1e-6, kOverhead = 0.25e-6;      // s, within a node
constexpr double kFar = 2e-6;                               // s, between nodes
constexpr double kBandwidth = 5e9, kFarBandwidth = 1e9;     // B/s
constexpr double kCopy = 1e9;                               // B/s
constexpr int kEager = 4096;                                // B: shorter messages are eager
constexpr int kLong = 1'000'000;                            // B
constexpr double kEnvelope = 16, kPointer = 24, kRts = 20;  // B on the wire

Figure assume(double value, const char* unit) { return {value, unit, "assumed: a test", value}; }

// Two nodes of four cores.
Machine round_figures(int copies) {
  Machine m = machine_from_tree("switch:1 node:2 [numa] core:4 pu:1");
  m.copy_bandwidth = assume(kCopy, "B/s");
  m.eager_limit = assume(kEager, "B");
  m.stated_copies = assume(copies, "copies");
  for (LevelCosts& level : m.levels) {
    const bool far = level.level != "NUMANode" && level.level != "Machine";
    level.latency = assume(far ? kFar : kLatency, "s");
    level.overhead = assume(kOverhead, "s");
    level.bandwidth = assume(far ? kFarBandwidth : kBandwidth, "B/s");
    level.link_bandwidth = assume(100e9, "B/s");
  }
  return m;
}

// Ranks and, behind them, threads: "rank node core".
Ended simulate(const char* ranks, const char* threads, const std::vector<std::string>& words, int copies = 1) {
  Placed p = bound(round_figures(copies), ranks);
  p.threads = bound(p.machine, threads).ranks;
  return run_under_smpi(p,
                        {.program = "progress_mpi_program", .words = words, .options = {"--cfg=surf/precision:1e-12"}});
}

std::string word(const char* name, const std::vector<double>& numbers) {
  std::string text = name;
  for (const double number : numbers) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%c%.17g", text == name ? '=' : ',', number);
    text += digits.data();
  }
  return text;
}

constexpr const char* kTwoRanks = "0 0 0\n1 0 1\n";
constexpr const char* kApart = "0 0 2\n1 0 3\n";
constexpr const char* kTogether = "0 0 2\n1 0 2\n";
// From the call to the thread, and back to the wait.
constexpr double kHandOver = kLatency + kPointer / kBandwidth;

// The receiver copies, when it has the RTS, while the bytes flow five times as fast; then it sends a FIN.
constexpr double kCopied = 2 * kHandOver + kLatency + kRts / kBandwidth + kLong / kCopy;

TEST(Cost, SingleCopy) {
  expect_success(simulate(kTwoRanks, kApart, {word("bcast", {kLong, kCopied + kOverhead})}), 4, 1);
}

// A core's messages to itself keep it for L.
TEST(Cost, SingleCopyOnOneCore) {
  const double expected = kCopied + kLatency;
  expect_success(simulate(kTwoRanks, kTogether, {word("bcast", {kLong, expected})}), 4, 1);
}

// RTS, CTS, then both copy at once (the receiver is first), and a FIN behind the last byte.
TEST(Cost, DoubleCopy) {
  const double expected =
      2 * kHandOver + 3 * kLatency + kOverhead + (kRts + 2 * kEnvelope) / kBandwidth + kLong / kCopy;
  expect_success(simulate(kTwoRanks, kApart, {word("bcast", {kLong, expected})}, 2), 4, 1);
}

// A sender's send is complete when the receiver has copied: of three ranks the root sends to rank 2 first.
TEST(Cost, SingleCopiesOfOneSenderFollowEachOther) {
  const double fin = kLatency + kEnvelope / kBandwidth;
  const double expected = kCopied + fin + kLatency + kRts / kBandwidth + kLong / kCopy + kOverhead;
  expect_success(simulate("0 0 0\n1 0 1\n2 0 1\n", "0 0 2\n1 0 3\n2 0 0\n", {word("bcast", {kLong, expected})}), 6, 1);
}

// Both sides of an eager message copy, one after another.
TEST(Cost, Eager) {
  constexpr int kBytes = kEager - 1;
  const double expected = 2 * kHandOver + 2 * kBytes / kCopy + kLatency + (kBytes + kEnvelope) / kBandwidth;
  expect_success(simulate(kTwoRanks, kApart, {word("bcast", {kBytes, expected})}), 4, 1);
}

// The network card copies.
TEST(Cost, BetweenNodes) {
  const double expected = 2 * kHandOver + kFar + (kLong + kEnvelope) / kFarBandwidth;
  expect_success(simulate("0 0 0\n1 1 0\n", "0 0 1\n1 1 1\n", {word("bcast", {kLong, expected})}), 4, 1);
}

// The thread copies on a core of its own while the rank computes for longer than that: only the waiting is left, and
// the pointer that says the thread is done is there already.
TEST(Overlap, OnACommunicationCore) {
  constexpr double kComputation = 2e-3;  // s
  const double expected = kOverhead + kComputation;
  expect_success(simulate(kTwoRanks, kApart, {word("overlap", {kLong, kComputation, expected})}), 4, 1);
}

// On the rank's core both share it. From the copy's start to the end of both it takes their sum; a pointer from the
// core to itself is sent for L, and goes at the copy's bandwidth.
TEST(Overlap, NoneOnTheRanksCore) {
  constexpr double kComputation = 2e-3;  // s
  const double expected = kLatency + kComputation + kLong / kCopy;
  expect_success(simulate(kTwoRanks, kTwoRanks, {word("overlap", {kLong, kComputation, expected})}), 4, 1);
}

TEST(Sessions, StartAndStop) {
  expect_success(simulate(kTwoRanks, kApart, {"sessions"}), 4, 3);
  expect_success(simulate("0 0 0\n1 0 1\n2 1 0\n", "0 0 3\n1 0 3\n2 1 0\n", {"sessions", "sessions"}), 6, 6);
}

TEST(InFlight, WaitedForInOppositeOrders) {
  expect_success(simulate(kTwoRanks, kApart, {"order"}), 4, 1);
  expect_success(simulate("0 0 0\n1 0 1\n2 1 0\n3 1 1\n4 1 2\n", "0 0 3\n1 0 3\n2 1 3\n3 1 3\n4 1 3\n", {"order"}), 10,
                 1);
}

TEST(InFlight, NoMoreThanAreNumbered) {
  const Ended e = simulate(kTwoRanks, kApart, {"many"});
  expect_success(e, 4, 1);
  EXPECT_NE(e.output.find("strata: more than "), std::string::npos) << e.output;
}

}  // namespace
}  // namespace strata::mpix::testing
