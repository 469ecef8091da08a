// SPDX-License-Identifier: LGPL-2.1-only
// Progress threads under SMPI: progress_mpi_program, with companion ranks as threads, on a machine with round figures,
// so that the cost of a message has a closed form.
//
// A broadcast from rank 0 to rank 1 is one message between their threads. L is the latency, o the part of it for which
// the sender's core sleeps, b the bandwidth of a message, and c the copy bandwidth of a core. Every message has an
// envelope of 16 B; a pointer has 8 B, an RTS 4 B. The message from the call to the thread, and that from the thread to
// the wait, take L + (8 + 16) / b.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/split_tree.h"
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

// Ranks and their threads, one per line: "rank node core".
Ended simulate(const char* ranks, const char* threads, const std::vector<std::string>& words, int copies = 1) {
  Placed p = bound(round_figures(copies), ranks);
  p.threads = bound(p.machine, threads).ranks;
  return run_under_smpi(p, {.program = "progress_mpi_program", .words = words});
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
// From the call to the thread, and from the thread to the wait.
constexpr double kHandOver = kLatency + kPointer / kBandwidth;

// After the RTS the receiver copies, while the bytes flow five times as fast; then it sends a FIN.
constexpr double kCopied = 2 * kHandOver + kLatency + kRts / kBandwidth + kLong / kCopy;

TEST(Cost, SingleCopy) {
  expect_success(simulate(kTwoRanks, kApart, {word("bcast", {kLong, kCopied + kOverhead})}), 4, 1);
}

// A message from a core to itself occupies the core for L.
TEST(Cost, SingleCopyOnOneCore) {
  const double expected = kCopied + kLatency;
  expect_success(simulate(kTwoRanks, kTogether, {word("bcast", {kLong, expected})}), 4, 1);
}

// RTS, CTS, then both copy at once (the receiver begins first), and a FIN after the last byte.
TEST(Cost, DoubleCopy) {
  const double expected =
      2 * kHandOver + 3 * kLatency + kOverhead + (kRts + 2 * kEnvelope) / kBandwidth + kLong / kCopy;
  expect_success(simulate(kTwoRanks, kApart, {word("bcast", {kLong, expected})}, 2), 4, 1);
}

// A send is complete when the receiver has copied. With three ranks the root sends to rank 2 first.
TEST(Cost, SingleCopiesOfOneSenderFollowEachOther) {
  const double fin = kLatency + kEnvelope / kBandwidth;
  const double expected = kCopied + fin + kLatency + kRts / kBandwidth + kLong / kCopy + kOverhead;
  expect_success(simulate("0 0 0\n1 0 1\n2 0 1\n", "0 0 2\n1 0 3\n2 0 0\n", {word("bcast", {kLong, expected})}), 6, 1);
}

// Both sides of an eager message copy, one after the other.
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

// The thread copies on its own core while the rank computes for a longer time. Only the wait remains, and the pointer
// that says that the thread is done has already arrived.
TEST(Overlap, OnACommunicationCore) {
  constexpr double kComputation = 2e-3;  // s
  const double expected = kOverhead + kComputation;
  expect_success(simulate(kTwoRanks, kApart, {word("overlap", {kLong, kComputation, expected})}), 4, 1);
}

// The thread and the rank share the rank's core: from the start of the copy to the end of both it takes the sum of
// their times. A core takes L to send a pointer to itself, which flows at the copy bandwidth.
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

TEST(InFlight, OnNoMoreCommunicatorsThanHaveIds) {
  const Ended e = simulate(kTwoRanks, kApart, {"communicators", "communicators"});
  expect_success(e, 4, 4);
  EXPECT_NE(e.output.find("strata: nonblocking collectives on more than 1024 communicators at a time; free some"),
            std::string::npos)
      << e.output;
}

// Ranks that are spread over a machine, with threads by the policy numa.
Placed spread(const std::string& machine, int ranks) {
  return with_threads(placed(machine_from_tree(machine), ranks, "spread", "core"), "numa");
}

// The number of cores that run threads but no rank.
int communication_cores(const Placed& p) {
  std::set<int> cores;
  for (const Binding& thread : p.threads) cores.insert(thread.core);
  for (const Binding& rank : p.ranks) cores.erase(rank.core);
  return static_cast<int>(cores.size());
}

struct Collective {
  const char* name;
  models::Weight weight;
  models::Direction direction;
};
constexpr Collective kBcast = {"ibcast", models::Weight::kConstant, models::Direction::kOneToAll};
constexpr Collective kReduce = {"ireduce", models::Weight::kConstant, models::Direction::kAllToOne};
constexpr Collective kAllreduce = {"iallreduce", models::Weight::kConstant, models::Direction::kThereAndBack};
constexpr Collective kScatter = {"iscatter", models::Weight::kDoubling, models::Direction::kOneToAll};
constexpr Collective kGather = {"igather", models::Weight::kDoubling, models::Direction::kAllToOne};

// The choice of the model for one of `parts` equal parts of the placement.
int best_steps(const Placed& p, const Collective& c, int parts = 1) {
  const int ranks = static_cast<int>(p.ranks.size()) / parts;
  const models::SplitTree tree{
      .cores = ranks + communication_cores(p) / parts, .ranks = ranks, .weight = c.weight, .direction = c.direction};
  return models::best_steps(tree, models::balanced_computation(tree));
}

std::string choice(const Collective& c, const char* tree, int steps) {
  return std::string("auto=") + c.name + "," + tree + "," + std::to_string(steps);
}

// From as many communication cores as ranks down to one.
TEST(Auto, TakesTheStepsOfTheModel) {
  std::set<int> chosen;
  for (const int ranks : {2, 20, 32, 40, 48, 56, 60, 63}) {
    const Placed p = spread("node:1 [numa] core:64 pu:1", ranks);
    EXPECT_EQ(communication_cores(p), std::min(ranks, 64 - ranks));
    std::vector<std::string> words;
    for (const Collective& c : {kBcast, kReduce, kAllreduce, kScatter, kGather}) {
      const int steps = best_steps(p, c);
      chosen.insert(steps);
      words.push_back(choice(c, "flat", steps));
    }
    expect_success(run_under_smpi(p, {.program = "progress_mpi_program", .words = words}), 2 * ranks, 5);
  }
  EXPECT_GE(chosen.size(), 3);  // different choices, so that the test can fail
}

// The lowest levels of a tree over nodes are within a node. Collectives of blocks have no such tree.
TEST(Auto, TakesThoseOfANodeWhereTheTreeIsOverNodes) {
  const Placed p = spread("switch:1 node:2 [numa] core:16 pu:1", 24);
  EXPECT_EQ(communication_cores(p), 8);
  std::vector<std::string> words;
  for (const Collective& c : {kBcast, kReduce, kAllreduce}) {
    words.push_back(choice(c, "flat", best_steps(p, c)));
    words.push_back(choice(c, "nodes", best_steps(p, c, 2)));
  }
  for (const Collective& c : {kScatter, kGather}) words.push_back(choice(c, "nodes", best_steps(p, c)));
  expect_success(run_under_smpi(p, {.program = "progress_mpi_program", .words = words}), 48, 5);
}

TEST(Auto, LeavesAllToThreadsThatHaveNoCore) {
  const Placed p = with_threads(spread("node:1 [numa] core:16 pu:1", 12), "bind");
  expect_success(run_under_smpi(p, {.program = "progress_mpi_program",
                                    .words = {choice(kReduce, "flat", 0), choice(kGather, "flat", 0)}}),
                 24, 4);
}

// Ranks alternate between nodes, so the flat tree has many edges between nodes.
TEST(TreeOverNodes, LeavesANodeOncePerEdge) {
  for (const auto& [machine, ranks] : {std::pair("node:2 [numa] core:4 pu:1", 5), {"node:5 [numa] core:4 pu:1", 13}}) {
    const Placed p =
        with_threads(placed(machine_from_tree(std::string("switch:1 ") + machine), ranks, "node", "core"), "numa");
    expect_success(run_under_smpi(p, {.program = "progress_mpi_program", .words = {nodes_word(p)}}), 2 * ranks, 2);
  }
}

}  // namespace
}  // namespace strata::mpix::testing
