// SPDX-License-Identifier: LGPL-2.1-only
// Virtual time against the replay engine, which computes when ranks of a recorded program would do what they did. They
// have only flow/ in common.
#include "native/coordinator/virtual_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "platforms/segments.h"
#include "replay/engine.h"
#include "tests/native/live_ranks.h"
#include "tests/process/process.h"
#include "tests/replay/steps.h"

namespace strata::native {
namespace {

using replay::flops;
using replay::receive;
using replay::send;
using replay::sleep;
using replay::trace_of;
using replay::wait;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr double kSame_s = 1e-12;  // flow/precision.h

const Machine& machine(const char* name) {
  static std::map<std::string, Machine> known;
  const auto at = known.find(name);
  return at != known.end()
             ? at->second
             : known.emplace(name, load_machine(built(std::string("platforms/data/") + name + "/machine.yaml")))
                   .first->second;
}

std::vector<double> live(const Trace& trace, const Machine& m) {
  LiveRanks ranks(trace, m);
  EXPECT_TRUE(ranks.run());
  return ranks.ended();
}

MATCHER(IsAtTheSameTime, "") { return std::abs(std::get<0>(arg) - std::get<1>(arg)) <= kSame_s; }

void expect_as_replayed(const Trace& trace, const Machine& m) {
  EXPECT_THAT(live(trace, m), Pointwise(IsAtTheSameTime(), replay::replay(trace, m, trace.cores).ended));
}

// Overhead, latency, and 16 B of envelope: all figures from machine.yaml, and the sum as a reader would make it.
TEST(VirtualTime, AMessageTakesWhatTheMachineSays) {
  const Machine& m = machine("ntw10e5");
  const double bytes = 512;
  Trace t = trace_of({{send(1, bytes)}, {receive(1, bytes), wait(1)}});
  t.cores = {0, static_cast<int>(m.topology->cores().size()) - 1};  // on different nodes
  const LevelCosts& network = *std::max_element(
      m.levels.begin(), m.levels.end(), [](const auto& a, const auto& b) { return a.latency.si < b.latency.si; });
  const MessageFigures figures = figures_of(network, bytes);
  const std::vector<double> ended = live(t, m);
  EXPECT_THAT(ended[0], DoubleNear(figures.overhead_s, kSame_s));
  EXPECT_THAT(ended[1], DoubleNear(figures.latency_s + (bytes + 16) / figures.bandwidth, kSame_s));
  expect_as_replayed(t, m);
}

TEST(VirtualTime, ALongMessageFlowsWhenItsReceiverIsThere) {
  const Machine& m = machine("ntw10e5");
  const double bytes = 1 << 20;
  for (const double sender_s : {0.0, 1.0}) {
    for (const double receiver_s : {0.0, 1.0}) {
      for (const std::uint8_t mode : {std::uint8_t{0}, TraceStep::kImmediate, TraceStep::kSynchronous}) {
        expect_as_replayed(trace_of({{sleep(sender_s), send(1, bytes, mode), wait(1)},
                                     {sleep(receiver_s), receive(1, bytes), wait(1)}}),
                           m);
      }
    }
  }
}

TEST(VirtualTime, ASynchronousSenderWaitsForItsAcknowledgement) {
  const Machine& m = machine("ntw10e5");
  for (const double receiver_s : {0.0, 1e-7, 1e-6, 1.0}) {
    expect_as_replayed(
        trace_of({{send(1, 8, TraceStep::kSynchronous), wait(1)}, {sleep(receiver_s), receive(1, 8), wait(1)}}), m);
  }
}

// The machine, whose receivers are busy for a third of what the latency leaves.
Machine busy_receivers(const char* name = "ntw10e5") {
  Machine m = machine(name);
  for (LevelCosts& c : m.levels) {
    const double s = (c.latency.si - c.overhead.si) / 3;
    c.receive_overhead = Figure{.value = s, .unit = "s", .source = "assumed: for a test", .si = s};
  }
  return m;
}

TEST(VirtualTime, AReceiverTakesOneMessageAfterTheOther) {
  const Machine m = busy_receivers();
  constexpr int kSenders = 7;
  constexpr double kShortBytes = 8;
  for (const double bytes : {kShortBytes, 1e6}) {
    for (const double apart_s : {0.0, 1e-7, 1.0}) {
      std::vector<std::vector<TraceStep>> ranks(kSenders + 1);
      for (int s = 1; s <= kSenders; ++s) {
        ranks[s] = {sleep(s * apart_s), send(kSenders + 1 - s, bytes), wait(1)};
        ranks[0].push_back(receive(s, bytes));
      }
      for (int s = kSenders; s >= 1; --s) ranks[0].push_back(wait(s));
      Trace t = trace_of(ranks);
      for (int s = 1; s <= kSenders; ++s) t.cores[s] = 24 * s;  // one on each node
      expect_as_replayed(t, m);
      if (bytes != kShortBytes || apart_s > 0) continue;
      const LevelCosts& network = m.levels.front();
      const double arrives_s = network.latency.si - network.receive_overhead->si;
      EXPECT_NEAR(
          live(t, m)[0],
          arrives_s + kSenders * ((bytes + 16) / network.link_bandwidth.si) + kSenders * network.receive_overhead->si,
          1e-10);
    }
  }
}

TEST(VirtualTime, APingPongTakesAsLongAsWithoutReceiveOverheads) {
  const Machine m = busy_receivers();
  for (const double bytes : {0.0, 1e3, 1e6}) {
    const Trace t = trace_of({{send(1, bytes, TraceStep::kImmediate), wait(1), receive(1, bytes), wait(1)},
                              {receive(1, bytes), wait(1), send(1, bytes, TraceStep::kImmediate), wait(1)}});
    expect_as_replayed(t, m);
    EXPECT_NEAR(live(t, m)[0], live(t, machine("ntw10e5"))[0], kSame_s);
  }
}

// Ranks compute, and send and receive messages one after the other, in an order in which none waits for ever. Links are
// shared by messages of different ranks. Their differences do not occur: a rank has no receive
// open while it does something else (here a library only acts in its calls), and every pair exchanges one message at
// most (here a short one does not overtake a long one).
Trace random_program(unsigned seed, int ranks, int messages) {
  std::mt19937 random(seed);
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  std::vector<std::vector<TraceStep>> steps(ranks);
  const auto take = [&](int rank, const TraceStep& step) {
    std::vector<TraceStep>& own = steps[rank];
    own.insert(own.end(), {flops(1e3 * below(1000)), step, wait(1)});
  };
  std::set<std::pair<int, int>> pairs;
  for (int m = 0; m < messages; ++m) {
    const int from = below(ranks), to = (from + 1 + below(ranks - 1)) % ranks;
    if (!pairs.insert({from, to}).second) continue;
    const double bytes = below(3) == 0 ? 1 << (10 + below(12)) : below(1000);
    const std::uint8_t modes = below(4) == 0 ? TraceStep::kSynchronous : below(2) == 0 ? TraceStep::kImmediate : 0;
    take(from, send((to - from + ranks) % ranks, bytes, modes));
    take(to, receive((from - to + ranks) % ranks, bytes));
  }
  return trace_of(steps);
}

TEST(VirtualTime, RandomProgramsTakeTheTimeOfTheirReplay) {
  for (const char* const name : {"ntw10e5", "theta", "blue-waters", "archer2"}) {
    const Machine& m = machine(name);
    for (unsigned seed = 1; seed <= 25; ++seed) {
      SCOPED_TRACE(testing::Message() << name << ", seed " << seed);
      Trace t = random_program(seed, 12, 60);
      // Spread over nodes and within them, one rank a core.
      std::mt19937 random(seed);
      std::set<int> taken;
      for (int& core : t.cores) {
        do {
          core = static_cast<int>(random() %
                                  (4 * m.topology->cores().size() / static_cast<unsigned>(m.topology->num_nodes())));
        } while (!taken.insert(core).second);
      }
      expect_as_replayed(t, m);
      if (HasFailure()) return;
    }
  }
}

// Copies and combinations between messages, in caches and not, by cores that share memory and by one that has it alone.
TEST(VirtualTime, TheLibrarysWorkTakesTheTimeOfItsReplay) {
  Machine without_memory = machine("ntw10e5");
  without_memory.memory.reset();
  for (const Machine& m : {machine("ntw10e5"), machine("theta"), machine("archer2"), without_memory}) {
    for (unsigned seed = 1; seed <= 25; ++seed) {
      SCOPED_TRACE(testing::Message() << m.name << ", seed " << seed);
      Trace t = random_program(seed, 12, 40);
      std::mt19937 random(seed);
      for (std::shared_ptr<const std::vector<TraceStep>>& steps : t.ranks) {
        std::vector<TraceStep> with;
        for (const TraceStep& step : *steps) {
          const auto kind = random() % 2 == 0 ? TraceStep::Kind::kCopy : TraceStep::Kind::kCombine;
          if (step.kind != TraceStep::Kind::kWait && random() % 3 == 0)
            with.push_back({.kind = kind, .amount = static_cast<double>(random() % (1 << (8 + random() % 18)))});
          with.push_back(step);
        }
        steps = std::make_shared<const std::vector<TraceStep>>(with);
      }
      for (std::size_t r = 0; r < t.cores.size(); ++r) t.cores[r] = static_cast<int>(2 * r);
      expect_as_replayed(t, m);
      if (HasFailure()) return;
    }
  }
}

// k cores copy m bytes each, which do not stay in caches: m / min(b, C / 2k), with the memory's capacity C.
TEST(VirtualTime, CopiesShareTheMemory) {
  const Machine& m = machine("ntw10e5");
  constexpr double kBytes = 64e6;
  for (int k = 1; k <= 6; ++k) {
    std::vector<std::vector<TraceStep>> ranks(k, {{.kind = TraceStep::Kind::kCopy, .amount = kBytes}});
    const double rate = std::min(m.copy_bandwidth.si, m.memory->bandwidth.si / (2 * k));
    for (const double ended : live(trace_of(ranks), m)) EXPECT_NEAR(ended, kBytes / rate, kSame_s);
  }
}

// A halo of several rounds with a random graph: all receives, all sends, and a wait for all of them. A rank may send
// another several messages in a round.
Trace random_halo(unsigned seed, int ranks, int rounds) {
  std::mt19937 random(seed);
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  std::vector<std::vector<TraceStep>> steps(ranks);
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::vector<TraceStep>> receives(ranks), sends(ranks);
    for (int from = 0; from < ranks; ++from) {
      for (int by = 1; by < ranks; ++by) {
        if (below(3) > 0) continue;
        for (int more = below(3); more >= 0; --more) {
          const double bytes = below(4) == 0 ? 1 << (10 + below(12)) : below(1000);
          sends[from].push_back(send(by, bytes, below(5) == 0 ? TraceStep::kSynchronous : TraceStep::kImmediate));
          receives[(from + by) % ranks].push_back(receive(ranks - by, bytes));
        }
      }
    }
    for (int r = 0; r < ranks; ++r) {
      if (below(2) == 0) steps[r].push_back(flops(1e3 * below(1000)));
      steps[r].insert(steps[r].end(), receives[r].begin(), receives[r].end());
      steps[r].insert(steps[r].end(), sends[r].begin(), sends[r].end());
      for (int w = static_cast<int>(receives[r].size() + sends[r].size()); w >= 1; --w) steps[r].push_back(wait(w));
    }
  }
  return trace_of(steps);
}

// Ranks have receives open while they do something else, and short messages are sent behind long ones.
TEST(VirtualTime, AHaloTakesTheTimeOfItsReplay) {
  for (const Machine& m : {machine("ntw10e5"), machine("theta"), machine("archer2"), busy_receivers(),
                           busy_receivers("theta"), busy_receivers("archer2")}) {
    for (unsigned seed = 1; seed <= 25; ++seed) {
      SCOPED_TRACE(testing::Message() << m.name << ", seed " << seed);
      Trace t = random_halo(seed, 12, 4);
      t.native = true;
      for (std::size_t r = 0; r < t.cores.size(); ++r) t.cores[r] = static_cast<int>(r * 11);
      expect_as_replayed(t, m);
      if (HasFailure()) return;
    }
  }
}

// To the bit: a rank that continues only for the last of its messages, against one that looks at each.
TEST(VirtualTime, ARankThatCountsItsMessagesTakesTheSameTime) {
  for (const Machine& m : {machine("theta"), machine("archer2"), busy_receivers()}) {
    for (unsigned seed = 1; seed <= 25; ++seed) {
      SCOPED_TRACE(testing::Message() << m.name << ", seed " << seed);
      Trace t = random_halo(seed, 12, 4);
      for (std::size_t r = 0; r < t.cores.size(); ++r) t.cores[r] = static_cast<int>(r * 11);
      LiveRanks looks(t, m), counts(t, m, true);
      ASSERT_TRUE(looks.run());
      ASSERT_TRUE(counts.run());
      EXPECT_EQ(counts.ended(), looks.ended());
      EXPECT_LT(counts.continued(), looks.continued());
      if (HasFailure()) return;
    }
  }
}

// A test that looks for a message for at most a second, and gets it, does not move time by this second.
TEST(VirtualTime, ATestThatHasEndedTakesNoTime) {
  const Machine& m = machine("ntw10e5");
  const std::vector<int> cores = {0, 1};
  Witness witness;
  VirtualTime time(m, cores, witness);
  time.post(0, {.kind = Kind::kEager, .peer = 1, .bytes = 8});
  time.block(0, {.block = Block::kFinish});
  time.block(1, {.block = Block::kPoll, .seconds = 1});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(1));
  time.delivered(1).clear();
  time.block(1, {.block = Block::kFinish});
  EXPECT_FALSE(time.advance());
  EXPECT_LT(time.now(), 1e-5);
}

// It has to fetch its data at once.
TEST(VirtualTime, AnOfferEndsTheWaitOfARankThatCounts) {
  const Machine& m = machine("ntw10e5");
  Witness witness;
  const std::vector<int> cores = {0, 1};
  VirtualTime time(m, cores, witness);
  time.post(0, {.kind = Kind::kEager, .peer = 1, .bytes = 8});
  time.block(0, {.block = Block::kSleep, .seconds = 1});
  const std::vector<OpenReceive> receives(3, {.tag = 0, .mask = 0, .worker = 0});
  time.block(1, {.block = Block::kMessage, .receives = receives});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(0));
  EXPECT_EQ(time.delivered(1).size(), 1U);
  time.post(0, {.kind = Kind::kOffer, .peer = 1, .bytes = 1'000'000});
  time.block(0, {.block = Block::kSleep, .seconds = 1});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(1));
  EXPECT_EQ(time.delivered(1).size(), 2U);
}

// It is for a later receive. Before, it counted, and the rank continued to find that it still waited.
TEST(VirtualTime, AMessageThatNoReceiveTakesDoesNotEndAWait) {
  const Machine& m = machine("ntw10e5");
  Witness witness;
  VirtualTime time(m, {0, 1}, witness);
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  const std::vector<OpenReceive> receives = {{.tag = 7, .mask = kAll, .worker = 0},
                                             {.tag = 7, .mask = kAll, .worker = 1},
                                             {.tag = 8, .mask = kAll, .worker = 0}};
  const auto send_one = [&](std::uint64_t tag, std::uint32_t worker) {
    time.post(0, {.kind = Kind::kEager, .peer = 1, .worker = worker, .tag = tag, .bytes = 8});
  };
  send_one(7, 0);
  send_one(7, 0);
  send_one(9, 0);
  send_one(8, 0);
  time.block(0, {.block = Block::kSleep, .seconds = 1});
  time.block(1, {.block = Block::kMessage, .receives = receives});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(0));
  EXPECT_EQ(time.delivered(1).size(), 4U);
  send_one(7, 1);
  time.block(0, {.block = Block::kSleep, .seconds = 1});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(1));
  EXPECT_EQ(time.delivered(1).size(), 5U);
}

// A rank's ring on the board has 128 places. The messages behind them count when it blocks again.
TEST(VirtualTime, MessagesThatARankHasNotTakenCount) {
  const Machine& m = machine("ntw10e5");
  Witness witness;
  VirtualTime time(m, {0, 1}, witness);
  const std::vector<OpenReceive> receives(3, {.tag = 0, .mask = 0, .worker = 0});
  for (int i = 0; i < 3; ++i) time.post(0, {.kind = Kind::kEager, .peer = 1, .bytes = 8});
  time.block(0, {.block = Block::kSleep, .seconds = 1});
  time.block(1, {.block = Block::kMessage, .receives = receives});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(1));
  time.delivered(1).pop_front();
  time.block(1, {.block = Block::kMessage, .receives = {receives.data(), 2}});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(1));
  EXPECT_LT(time.clock(1), 1);
}

TEST(VirtualTime, MessagesOfOnePairAreToldInTheirOrder) {
  const Machine& m = machine("ntw10e5");
  Witness witness;
  const std::vector<int> cores = {0, 200};
  VirtualTime time(m, cores, witness);
  for (const std::uint64_t bytes : {8000, 0, 4000, 0})
    time.post(0, {.kind = Kind::kEager, .peer = 1, .tag = bytes, .bytes = bytes});
  time.block(0, {.block = Block::kFinish});
  std::vector<std::uint64_t> delivered;
  std::vector<double> when;
  time.block(1, {.block = Block::kMessage});
  while (time.advance()) {
    for (std::deque<Message>& d = time.delivered(1); !d.empty(); d.pop_front()) delivered.push_back(d.front().tag);
    when.push_back(time.clock(1));
    time.block(1, {.block = Block::kMessage});
  }
  EXPECT_THAT(delivered, ElementsAre(8000, 0, 4000, 0));
  EXPECT_TRUE(std::is_sorted(when.begin(), when.end()));
}

TEST(VirtualTime, APollEndsWithAMessageOrAtItsTime) {
  const Machine& m = machine("ntw10e5");
  Witness witness;
  const std::vector<int> cores = {0, 1};
  VirtualTime time(m, cores, witness);
  time.block(0, {.block = Block::kSleep, .seconds = 2.5});
  time.block(1, {.block = Block::kPoll, .seconds = 1});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(1));
  EXPECT_EQ(time.clock(1), 1);
  time.block(1, {.block = Block::kPoll, .seconds = 10});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(0));
  EXPECT_EQ(time.clock(0), 2.5);
  time.post(0, {.kind = Kind::kEager, .peer = 1, .bytes = 8});
  time.end(0, 0);
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(1));
  EXPECT_GT(time.clock(1), 2.5);
  EXPECT_LT(time.clock(1), 2.6);
  EXPECT_EQ(time.delivered(1).size(), 1);
}

TEST(VirtualTime, ARankLearnsItsTimeAtOnce) {
  const Machine& m = machine("ntw10e5");
  Witness witness;
  const std::vector<int> cores = {0, 1};
  VirtualTime time(m, cores, witness);
  time.block(0, {.block = Block::kClock, .busy_s = 5});
  time.block(1, {.block = Block::kSleep, .seconds = 1});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(0));
  EXPECT_EQ(time.clock(0), 5);
  EXPECT_EQ(time.now(), 0) << "others have not moved";
}

// A short put does not overtake a long one.
TEST(VirtualTime, OneSidedOperationsOfOnePairHappenInTheirOrder) {
  struct Order : Witness {
    std::vector<std::uint64_t> bytes;
    void perform(int, const Message& m) override { bytes.push_back(m.bytes); }
  } order;
  const Machine& m = machine("ntw10e5");
  const std::vector<int> cores = {0, 100};
  VirtualTime time(m, cores, order);
  for (const std::uint64_t bytes : {1'000'000, 8, 1000}) time.post(0, {.kind = Kind::kPut, .peer = 1, .bytes = bytes});
  time.block(0, {.block = Block::kMessage});
  time.block(1, {.block = Block::kFinish});
  while (time.advance()) {
    time.delivered(0).clear();
    time.block(0, {.block = Block::kMessage});
  }
  EXPECT_THAT(order.bytes, ElementsAre(1'000'000, 8, 1000));
}

// It may wait for a value in its memory.
TEST(VirtualTime, APutEndsTheWaitOfItsTarget) {
  const Machine& m = machine("ntw10e5");
  Witness witness;
  const std::vector<int> cores = {0, 100};
  VirtualTime time(m, cores, witness);
  time.post(0, {.kind = Kind::kPut, .peer = 1, .bytes = 8});
  time.block(0, {.block = Block::kSleep, .seconds = 1});
  time.block(1, {.block = Block::kMessage});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(1));
  EXPECT_TRUE(time.delivered(1).empty());
  EXPECT_GT(time.clock(1), 1e-6);
  EXPECT_LT(time.clock(1), 3e-6);
}

// A rank in MPI_Finalize still takes messages.
TEST(VirtualTime, AMessageEndsAWaitInMpiFinalize) {
  const Machine& m = machine("ntw10e5");
  const std::vector<int> cores = {0, 1};
  Witness witness;
  VirtualTime time(m, cores, witness);
  time.block(0, {.block = Block::kFinish});
  time.post(1, {.kind = Kind::kEager, .peer = 0, .bytes = 8});
  time.block(1, {.block = Block::kFinish});
  ASSERT_TRUE(time.advance());
  EXPECT_THAT(time.continuing(), ElementsAre(0));
  EXPECT_EQ(time.delivered(0).size(), 1U);
  EXPECT_EQ(time.clock(0), time.now());
  time.delivered(0).clear();
  time.block(0, {.block = Block::kFinish});
  EXPECT_FALSE(time.advance());
}

TEST(VirtualTime, NothingLeftIsAnEndOrADeadlock) {
  const Machine& m = machine("ntw10e5");
  Trace t = trace_of({{receive(1, 8), wait(1)}, {receive(1, 8), wait(1)}});
  LiveRanks ranks(t, m);
  EXPECT_FALSE(ranks.run());
}

}  // namespace
}  // namespace strata::native
