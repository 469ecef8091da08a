// SPDX-License-Identifier: LGPL-2.1-only
// Times of schedules: compared with the closed forms, worked out by hand where the models differ, and for 16,384 ranks.
#include "models/schedule_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include "models/collective.h"
#include "models/hockney.h"
#include "models/links_taken.h"
#include "tests/models/random_schedule.h"
#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

constexpr double kSmall = 84;        // with the envelope 100 B: 0.1 us at 1 GB/s; eager
constexpr double kLarge = 1'984;     // with the envelope 2000 B: 2 us; rendezvous
constexpr double kRounding = 1e-12;  // relative: sums are added in different orders

Timing timed(const Machine& machine, int np, const CollectiveCase& what, bool hierarchical, CostModel model) {
  const std::vector<Binding> ranks = place(*machine.topology, np);
  const Schedule schedule = hierarchical ? hierarchical_schedule(what, topological_hierarchy(*machine.topology, ranks))
                                         : flat_schedule(what, np);
  return time_schedule(MessageCosts(machine), ranks, schedule, model);
}

// One message, in one piece.
CollectiveCase broadcast(Algorithm algorithm, double bytes) {
  return {.collective = Collective::kBroadcast,
          .algorithm = algorithm,
          .root = 0,
          .payload = {.elements = 1, .element_bytes = bytes, .segment_bytes = 0}};
}

// A uniform machine: alpha = 1 us and beta = 1 ns/B everywhere, so the times of schedules are those of the closed
// forms.
TEST(ScheduleTime, HockneyOnAUniformMachineIsTheClosedForm) {
  const Machine machine = uniform_machine("node:5 pack:2 core:7 pu:1");
  const HockneyCost cost{Seconds(1e-6), BytesPerSecond(1e9)};
  for (const double bytes : {kSmall, kLarge}) {
    const Bytes wire(bytes + 16);
    for (int p = 1; p <= 70; ++p) {
      const Timing linear = timed(machine, p, broadcast(Algorithm::kLinear, bytes), false, CostModel::kHockney);
      const double flat = flat_tree_time(p, cost, wire).value;
      EXPECT_NEAR(linear.completion.value, flat, kRounding * flat) << "p " << p;
      const Timing tree = timed(machine, p, broadcast(Algorithm::kBinomial, bytes), false, CostModel::kHockney);
      const double rounds = binomial_tree_time(p, cost, wire).value;
      EXPECT_NEAR(tree.completion.value, rounds, kRounding * rounds) << "p " << p;
      EXPECT_EQ(linear.transfers.size(), static_cast<size_t>(p - 1));
    }
  }
}

TEST(ScheduleTime, ThreeBinaryLevelsTakeThreeMessages) {
  const Machine machine = uniform_machine("node:2 pack:2 core:2 pu:1");
  for (const Algorithm algorithm : {Algorithm::kLinear, Algorithm::kBinomial}) {
    const Timing t = timed(machine, 8, broadcast(algorithm, kLarge), true, CostModel::kHockney);
    EXPECT_NEAR(t.completion.value, 3 * 3e-6, kRounding);
  }
}

// Levels with their own costs: RR-9077's sum over the levels.
TEST(ScheduleTime, HierarchicalLinearIsTheSumOverTheLevels) {
  Machine machine = uniform_machine("node:4 pack:3 core:5 pu:1");
  set_costs(machine, "System - Cluster", {.latency_us = 5, .overhead_us = 1, .bandwidth_gbs = 0.5, .link_gbs = 1000});
  set_costs(machine, "NUMANode", {.latency_us = 2, .overhead_us = 1, .bandwidth_gbs = 2, .link_gbs = 1000});
  const std::vector<HockneyLevel> levels = {{4, {Seconds(5e-6), BytesPerSecond(0.5e9)}},
                                            {3, {Seconds(2e-6), BytesPerSecond(2e9)}},
                                            {5, {Seconds(1e-6), BytesPerSecond(1e9)}}};
  const double expected = hierarchical_flat_tree_time(levels, Bytes(kLarge + 16)).value;
  EXPECT_NEAR(expected, (3 * 9 + 2 * 3 + 4 * 3) * 1e-6, 1e-15);
  const Timing t = timed(machine, 60, broadcast(Algorithm::kLinear, kLarge), true, CostModel::kHockney);
  EXPECT_NEAR(t.completion.value, expected, kRounding * expected);
}

// A rendezvous sender that sends one message after another waits for each, so LogGP is the same as Hockney's model,
// transfer by transfer and to the last bit.
TEST(ScheduleTime, RendezvousIsTheSameInBothModels) {
  Machine machine = uniform_machine("node:3 pack:2 core:4 pu:1");
  set_costs(machine, "System - Cluster", {.latency_us = 3.7, .overhead_us = 1.1, .bandwidth_gbs = 0.3, .link_gbs = 1});
  CollectiveCase linear = broadcast(Algorithm::kLinear, kLarge), binomial = broadcast(Algorithm::kBinomial, kLarge);
  linear.collective = binomial.collective = Collective::kScatter;
  for (const CollectiveCase& what : {linear, binomial, broadcast(Algorithm::kPipeline, kLarge)}) {
    for (const bool hierarchical : {false, true}) {
      const Timing h = timed(machine, 24, what, hierarchical, CostModel::kHockney);
      const Timing l = timed(machine, 24, what, hierarchical, CostModel::kLogGP);
      EXPECT_EQ(h.completion, l.completion);
      ASSERT_EQ(h.transfers.size(), l.transfers.size());
      for (size_t i = 0; i < h.transfers.size(); ++i) EXPECT_EQ(h.transfers[i].arrival_s, l.transfers[i].arrival_s);
    }
  }
}

// Eager, o = 0.25 us, L = 1 us, m/b = 0.1 us: each message occupies the root for o. Linear, p = 5: the last message
// starts at 0.75 us.
TEST(ScheduleTime, EagerSendersAreBusyForTheOverhead) {
  const Machine machine = uniform_machine("node:5 pack:1 core:1 pu:1");
  const Timing t = timed(machine, 5, broadcast(Algorithm::kLinear, kSmall), false, CostModel::kLogGP);
  EXPECT_NEAR(t.completion.value, 0.75e-6 + 1.1e-6, kRounding);
  EXPECT_FALSE(t.contention.has_value());
  EXPECT_NEAR(t.transfers[3].start_s, 0.75e-6, kRounding);
  EXPECT_NEAR(t.transfers[3].flow_s, 1.75e-6, kRounding);
}

// Binomial, p = 4: 1 receives at 1.1 us and sends to 3, which receives at 2.2 us; 2 receives at 0.25 + 1.1 us.
TEST(ScheduleTime, EagerBinomialByHand) {
  const Machine machine = uniform_machine("node:4 pack:1 core:1 pu:1");
  const Timing t = timed(machine, 4, broadcast(Algorithm::kBinomial, kSmall), false, CostModel::kLogGP);
  EXPECT_NEAR(t.completion.value, 2.2e-6, kRounding);
  ASSERT_EQ(t.transfers.size(), 3U);
  EXPECT_NEAR(t.transfers[1].arrival_s, 1.35e-6, kRounding);
  EXPECT_EQ(t.transfers[1].to, 2);
}

// The root's link carries 0.2 GB/s: 100 B take 0.5 us, more than the overhead, so 4 messages occupy the link for 2 us,
// from 1 us on.
TEST(ScheduleTime, TheGapIsTheLinksWhereThatIsLongerThanTheOverhead) {
  const Machine machine = uniform_machine(
      "node:5 pack:1 core:1 pu:1", {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 0.2, .link_gbs = 0.2});
  const Timing t = timed(machine, 5, broadcast(Algorithm::kLinear, kSmall), false, CostModel::kLogGP);
  EXPECT_NEAR(t.completion.value, 1.5e-6 + 1.5e-6, kRounding);
  EXPECT_FALSE(t.contention.has_value());
}

// Rendezvous, o = 0.25 us, L = 1 us, m/b = 2 us: sends that are started at once begin at intervals of o, if the links
// carry all of them. Hockney's sender sends one after another.
TEST(ScheduleTime, SendsThatAreStartedAtOnceAreOnTheirWayTogether) {
  const Machine machine = uniform_machine("node:5 pack:1 core:1 pu:1");
  const CollectiveCase what = broadcast(Algorithm::kLinear, kLarge);
  const Timing l = timed(machine, 5, what, false, CostModel::kLogGP);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(l.transfers[i].arrival_s, i * 0.25e-6 + 3e-6, kRounding);
  EXPECT_NEAR(l.completion.value, 3.75e-6, kRounding);
  EXPECT_NEAR(timed(machine, 5, what, false, CostModel::kHockney).completion.value, 4 * 3e-6, kRounding);
}

// The same, but one message alone fills the root's link, which is busy for 4 times 2 us, from 1 us on.
TEST(ScheduleTime, SendsThatAreStartedAtOnceShareTheLink) {
  const Machine machine = uniform_machine("node:5 pack:1 core:1 pu:1",
                                          {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 1, .link_gbs = 1});
  const Timing t = timed(machine, 5, broadcast(Algorithm::kLinear, kLarge), false, CostModel::kLogGP);
  EXPECT_NEAR(t.completion.value, 1e-6 + 4 * 2e-6, kRounding);
  EXPECT_FALSE(t.contention.has_value());
  // The first message gets 250 B alone, then half of 250 B, then a third; it shares the rest of its time with three
  // others.
  const double had = 250 * (1 + 1.0 / 2 + 1.0 / 3);
  EXPECT_NEAR(t.transfers[0].arrival_s, 1e-6 + 0.75e-6 + 4 * (2000 - had) * 1e-9, kRounding);
}

// To rank 1 in the node at 2 GB/s, which fills the core's link, and o later to rank 2 in the other node at 0.5 GB/s.
// The first message gets 500 B alone, then 1.5 GB/s; the second gets as much as it gets alone.
TEST(ScheduleTime, AMessageThatIsHeldBackElsewhereLeavesTheLinkToOthers) {
  Machine machine = uniform_machine("node:2 pack:1 core:2 pu:1",
                                    {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 2, .link_gbs = 2});
  set_costs(machine, "System - Cluster", {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 0.5, .link_gbs = 2});
  const Timing t = timed(machine, 3, broadcast(Algorithm::kLinear, kLarge), false, CostModel::kLogGP);
  EXPECT_NEAR(t.transfers[0].arrival_s, 1.25e-6 + 1500 / 1.5e9, kRounding);
  EXPECT_NEAR(t.transfers[1].arrival_s, 1.25e-6 + 2000 / 0.5e9, kRounding);
}

// Two ranks of one core: the latency is that of the innermost level (1 us), copy_bandwidth is 2 GB/s: 100 B take 0.05
// us.
TEST(ScheduleTime, AMessageToTheSameCoreIsACopy) {
  const Machine machine = uniform_machine("pack:1 core:2 pu:1");
  const std::vector<Binding> ranks =
      place(*machine.topology, 4, {.map_by = "core", .bind_to = "core", .oversubscribe = true});
  Schedule s(4);
  message(s, 0, 2, kSmall);
  ASSERT_EQ(ranks[0].core, ranks[2].core);
  for (const CostModel model : {CostModel::kHockney, CostModel::kLogGP}) {
    EXPECT_NEAR(time_schedule(MessageCosts(machine), ranks, s, model).completion.value, 1.05e-6, kRounding);
  }
}

// A late receiver: 1 first sends to 2 (rendezvous, 3 us), then receives from 0. 0's message can flow as soon as 1
// calls; in LogGP 0 has spent its overhead by then: 3 - 0.25 + 3 us.
TEST(ScheduleTime, RendezvousWaitsForItsReceiver) {
  const Machine machine = uniform_machine("node:3 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*machine.topology, 3);
  Schedule s(3);
  message(s, 1, 2, kLarge);
  message(s, 0, 1, kLarge);
  const MessageCosts costs(machine);
  EXPECT_NEAR(time_schedule(costs, ranks, s, CostModel::kLogGP).completion.value, 5.75e-6, kRounding);
  EXPECT_NEAR(time_schedule(costs, ranks, s, CostModel::kHockney).completion.value, 6e-6, kRounding);
}

// The same, but 1 posts its receive first: 0's message arrives while 1 sends.
TEST(ScheduleTime, APostedReceiveCountsFromWhenItWasPosted) {
  const Machine machine = uniform_machine("node:3 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*machine.topology, 3);
  Schedule s(3);
  post_receive(s, 1, 0, kLarge);
  message(s, 1, 2, kLarge);
  wait_receive(s, 1, 0, kLarge);
  send(s, 0, 1, kLarge);
  for (const CostModel model : {CostModel::kHockney, CostModel::kLogGP}) {
    EXPECT_NEAR(time_schedule(MessageCosts(machine), ranks, s, model).completion.value, 3e-6, kRounding);
  }
}

// Three senders and a receiver that is busy with each message for 0.3 us of the latency.
TEST(ScheduleTime, LogGPsReceiverTakesOneMessageAfterTheOther) {
  Machine machine = uniform_machine("node:4 core:1 pu:1");
  machine.levels.front().receive_overhead = microseconds(0.3);
  Schedule s(4);
  for (const int from : {1, 2, 3}) {
    send(s, from, 0, kSmall);
    post_receive(s, 0, from, kSmall);
  }
  for (const int from : {1, 2, 3}) wait_receive(s, 0, from, kSmall);
  const MessageCosts costs(machine);
  const Timing loggp = time_schedule(costs, place(*machine.topology, 4), s, CostModel::kLogGP);
  EXPECT_NEAR(loggp.done_s[0].back(), (1 + 0.1 + 2 * 0.3) * 1e-6, 1e-15);
  EXPECT_NEAR(loggp.transfers[0].arrival_s, (1 - 0.3 + 0.1) * 1e-6, 1e-15);
  const Timing hockney = time_schedule(costs, place(*machine.topology, 4), s, CostModel::kHockney);
  EXPECT_NEAR(hockney.done_s[0].back(), 3 * 1.1e-6, 1e-15);
}

// Messages whose sender copies them at the rate at which one flows leave one after another, where links have room.
TEST(ScheduleTime, LogGPsSenderCopiesOneMessageAfterTheOther) {
  Machine machine = uniform_machine("node:4 core:1 pu:1");
  LevelCosts& costs = machine.levels.front();
  costs.link_bandwidth = {1e12, "B/s", "assumed: for a test", 1e12};
  costs.overhead = microseconds(0);
  Schedule s(4);
  for (const int to : {1, 2, 3}) {
    send(s, 0, to, kSmall);
    post_receive(s, to, 0, kSmall);
    wait_receive(s, to, 0, kSmall);
  }
  const auto last_us = [&] {
    return 1e6 *
           time_schedule(MessageCosts(machine), place(*machine.topology, 4), s, CostModel::kLogGP).completion.value;
  };
  EXPECT_NEAR(last_us(), 1 + 0.1, 1e-9);
  costs.send_copy = costs.bandwidth;
  EXPECT_NEAR(last_us(), 1 + 3 * 0.1, 1e-9);
  costs.send_copy.reset();
  costs.receive_copy = costs.bandwidth;
  EXPECT_NEAR(last_us(), 1 + 0.1, 1e-9);
}

// Two posted receives, two senders at the same time: Hockney's receiver takes one message after the other.
TEST(ScheduleTime, HockneysReceiverTakesOneMessageAtATime) {
  const Machine machine = uniform_machine("node:3 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*machine.topology, 3);
  for (const double bytes : {kSmall, kLarge}) {
    Schedule s(3);
    for (const int from : {1, 2}) post_receive(s, 0, from, bytes);
    for (const int from : {1, 2}) {
      send(s, from, 0, bytes);
      wait_receive(s, 0, from, bytes);
    }
    const MessageCosts costs(machine);
    const double alone_s = 1e-6 + (bytes + 16) / 1e9;
    EXPECT_NEAR(time_schedule(costs, ranks, s, CostModel::kLogGP).completion.value, alone_s, kRounding * alone_s);
    EXPECT_NEAR(time_schedule(costs, ranks, s, CostModel::kHockney).completion.value, 2 * alone_s, kRounding * alone_s);
  }
}

// Both directions at the same time; a started send occupies its sender only for o.
TEST(ScheduleTime, AnExchangeTakesOneMessage) {
  const Machine machine = uniform_machine("node:2 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*machine.topology, 2);
  for (const double bytes : {kSmall, kLarge}) {
    Schedule s(2);
    send_receive(s, 0, 1, bytes, 1, bytes);
    send_receive(s, 1, 0, bytes, 0, bytes);
    for (const CostModel model : {CostModel::kHockney, CostModel::kLogGP}) {
      const Timing t = time_schedule(MessageCosts(machine), ranks, s, model);
      EXPECT_NEAR(t.completion.value, 1e-6 + (bytes + 16) / 1e9, 1e-18);
      EXPECT_NEAR(t.done_s[0][1], model == CostModel::kHockney ? 0 : 0.25e-6, 1e-18);
    }
  }
}

// copy_bandwidth is 2 GB/s: 3000 B take 1.5 us, or 1 us with a combine_bandwidth of 3 GB/s.
TEST(ScheduleTime, CombiningIsACopyOfTheBytesUnlessTheMachineSaysMore) {
  Machine machine = uniform_machine("node:1 pack:1 core:1 pu:1");
  Schedule s(1);
  combine(s, 0, 3000);
  const auto time = [&] {
    return time_schedule(MessageCosts(machine), place(*machine.topology, 1), s, CostModel::kLogGP).completion.value;
  };
  EXPECT_NEAR(time(), 1.5e-6, 1e-18);
  machine.stated_combine_bandwidth = machine.copy_bandwidth;
  machine.stated_combine_bandwidth->si = 3e9;
  EXPECT_NEAR(time(), 1e-6, 1e-18);
}

TEST(ScheduleTime, RefusesSchedulesThatCannotEnd) {
  const Machine machine = uniform_machine("node:2 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*machine.topology, 2);
  const MessageCosts costs(machine);
  Schedule unmatched(2);
  send(unmatched, 0, 1, kSmall);
  EXPECT_THROW(time_schedule(costs, ranks, unmatched, CostModel::kLogGP), std::logic_error);
  Schedule other_size(2);
  send(other_size, 0, 1, kSmall);
  receive(other_size, 1, 0, kLarge);
  EXPECT_THROW(time_schedule(costs, ranks, other_size, CostModel::kLogGP), std::logic_error);
  Schedule circle(2);
  for (const int r : {0, 1}) {
    receive(circle, r, 1 - r, kSmall);
    send(circle, r, 1 - r, kSmall);
  }
  EXPECT_THROW(time_schedule(costs, ranks, circle, CostModel::kLogGP), std::logic_error);
  // Both send first: eager messages pass, rendezvous deadlocks.
  const auto both_send = [](double bytes) {
    Schedule s(2);
    for (const int r : {0, 1}) {
      send(s, r, 1 - r, bytes);
      receive(s, r, 1 - r, bytes);
    }
    return s;
  };
  EXPECT_NEAR(time_schedule(costs, ranks, both_send(kSmall), CostModel::kLogGP).completion.value, 1.1e-6, kRounding);
  EXPECT_THROW(time_schedule(costs, ranks, both_send(kLarge), CostModel::kLogGP), std::logic_error);
}

// The definition itself, without an order of evaluation: computes all times from each other repeatedly, until none
// changes. An event depends only on earlier ones, so each round gets at least one more event right.
class Slow {
 public:
  Slow(const Machine& machine, const std::vector<Binding>& ranks, const Schedule& schedule, CostModel model)
      : costs_(machine), ranks_(ranks), schedule_(schedule), hockney_(model == CostModel::kHockney) {
    done_.resize(schedule.size());
    for (size_t r = 0; r < schedule.size(); ++r) {
      done_[r].assign(schedule[r].size(), 0);
      for (int i = 0; i < static_cast<int>(schedule[r].size()); ++i) {
        if (!sends(schedule[r][i])) continue;
        const int to = schedule[r][i].peer;
        messages_.push_back({.from = static_cast<int>(r), .to = to, .send = i, .receive = 0});
        messages_.back().receive = find(to, messages_.back().from, {Kind::kPostReceive},
                                        count(messages_.back().from, i, to, {Kind::kSend, Kind::kStartSend}));
      }
    }
  }

  double completion() {
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (Message& m : messages_) set(m.flow_s, start(m) + cost(m).latency_s);
      hockney_ ? arrive_alone() : arrive_together();
      for (int r = 0; r < static_cast<int>(schedule_.size()); ++r) {
        for (int i = 0; i < static_cast<int>(schedule_[r].size()); ++i) set(done_[r][i], done(r, i));
      }
    }
    double last = 0;
    for (const auto& d : done_) last = d.empty() ? last : std::max(last, d.back());
    return last;
  }

 private:
  using Kind = Operation::Kind;
  struct Message {
    int from, to, send, receive;  // indexes of operations
    double flow_s = 0, arrival_s = 0;
  };

  static bool sends(const Operation& o) { return o.kind == Kind::kSend || o.kind == Kind::kStartSend; }
  void set(double& time, double value) {
    if (std::abs(value - time) > 1e-14 * value) changed_ = true;
    time = value;
  }
  double before(int r, int i) const { return i == 0 ? 0 : done_[r][i - 1]; }
  // Number of operations of rank r before i that are of one of the kinds and have that peer.
  int count(int r, int i, int peer, std::initializer_list<Kind> kinds) const {
    int n = 0;
    for (int k = 0; k < i; ++k) {
      for (const Kind kind : kinds) n += schedule_[r][k].kind == kind && schedule_[r][k].peer == peer ? 1 : 0;
    }
    return n;
  }
  int find(int r, int peer, std::initializer_list<Kind> kinds, int nth) const {
    for (int i = 0;; ++i) {
      for (const Kind kind : kinds) {
        if (schedule_[r][i].kind == kind && schedule_[r][i].peer == peer && nth-- == 0) return i;
      }
    }
  }
  MessageCost cost(const Message& m) const {
    return costs_.between(ranks_[m.from].core, ranks_[m.to].core, schedule_[m.from][m.send].amount);
  }
  double bytes(const Message& m) const { return schedule_[m.from][m.send].amount + 16; }
  bool free_early(double payload) const { return !hockney_ && payload < costs_.machine().eager_limit.si; }
  const Message& sent_by(int rank, int send) const {
    return *std::ranges::find_if(messages_, [&](const Message& m) { return m.from == rank && m.send == send; });
  }
  double arrival(int rank, int send) const { return sent_by(rank, send).arrival_s; }

  double start(const Message& m) const {
    const double called_s = before(m.from, m.send), posted_s = done_[m.to][m.receive];
    if (!hockney_) {
      const bool early = free_early(schedule_[m.from][m.send].amount);
      return early ? called_s : std::max(called_s, posted_s - cost(m).overhead_s);
    }
    double start_s = std::max(called_s, posted_s);
    for (const Message& other : messages_) {  // earlier messages of both ends
      if (other.to == m.to && other.receive < m.receive) start_s = std::max(start_s, other.arrival_s);
      if (other.from == m.from && other.send < m.send) start_s = std::max(start_s, other.arrival_s);
    }
    return start_s;
  }
  void arrive_alone() {
    for (Message& m : messages_) set(m.arrival_s, m.flow_s + bytes(m) / cost(m).bandwidth_bytes_per_s);
  }
  // Core by core, advancing from one beginning or end of a message to the next.
  void arrive_together() {
    for (const Binding& sender : ranks_) {
      std::vector<Message*> waiting;
      for (Message& m : messages_) {
        if (ranks_[m.from].core == sender.core) waiting.push_back(&m);
      }
      std::vector<double> left;
      for (const Message* m : waiting) left.push_back(bytes(*m));
      for (double now_s = 0; !waiting.empty();) {
        std::vector<const Message*> flowing;
        double next_s = std::numeric_limits<double>::infinity();
        for (const Message* m : waiting) {
          if (m->flow_s <= now_s) {
            flowing.push_back(m);
          } else {
            next_s = std::min(next_s, m->flow_s);
          }
        }
        const std::vector<double> rates = fair_rates(flowing);
        std::vector<size_t> at;
        for (size_t i = 0; i < waiting.size(); ++i) {
          if (waiting[i]->flow_s <= now_s) at.push_back(i);
        }
        for (size_t k = 0; k < at.size(); ++k) next_s = std::min(next_s, now_s + left[at[k]] / rates[k]);
        for (size_t k = 0; k < at.size(); ++k) left[at[k]] -= rates[k] * (next_s - now_s);
        now_s = next_s;
        for (size_t k = at.size(); k-- > 0;) {
          if (left[at[k]] > 1e-9) continue;  // B
          set(waiting[at[k]]->arrival_s, now_s);
          waiting.erase(waiting.begin() + static_cast<long>(at[k]));
          left.erase(left.begin() + static_cast<long>(at[k]));
        }
      }
    }
  }
  // All rates rise together, by as much as the tightest limit allows, until each has reached a limit.
  std::vector<double> fair_rates(const std::vector<const Message*>& flows) const {
    std::vector<std::vector<Link>> ways;
    for (const Message* m : flows) {
      ways.emplace_back();
      for_each_link(costs_, ranks_[m->from].core, ranks_[m->to].core,
                    [&](const Link& link) { ways.back().push_back(link); });
    }
    std::vector<double> rates(flows.size(), 0);
    std::vector<bool> limited(flows.size(), false);
    // How much more each flow that is not limited may get on a link.
    const auto room = [&](const Link& link) {
      double used = 0;
      int rising = 0;
      for (size_t i = 0; i < flows.size(); ++i) {
        for (const Link& other : ways[i]) {
          if (other.of != link.of || other.kind != link.kind) continue;
          used += rates[i];
          rising += limited[i] ? 0 : 1;
        }
      }
      return (link.capacity_bytes_per_s - used) / rising;
    };
    while (std::ranges::count(limited, false) > 0) {
      double step = std::numeric_limits<double>::infinity();
      for (size_t i = 0; i < flows.size(); ++i) {
        if (limited[i]) continue;
        step = std::min(step, cost(*flows[i]).bandwidth_bytes_per_s - rates[i]);
        for (const Link& link : ways[i]) step = std::min(step, room(link));
      }
      for (size_t i = 0; i < flows.size(); ++i) rates[i] += limited[i] ? 0 : step;
      std::vector<bool> met = limited;
      for (size_t i = 0; i < flows.size(); ++i) {
        if (limited[i]) continue;
        met[i] = cost(*flows[i]).bandwidth_bytes_per_s - rates[i] < 1e-3;  // B/s
        for (const Link& link : ways[i]) met[i] = met[i] || room(link) < 1e-3;
      }
      limited = met;
    }
    return rates;
  }

  double done(int r, int i) const {
    const Operation& o = schedule_[r][i];
    const double begin_s = before(r, i);
    switch (o.kind) {
      case Kind::kCombine:
        return begin_s + o.amount / costs_.machine().combine_bandwidth().si;
      case Kind::kCompute:
        return begin_s + o.amount / costs_.machine().core_speed.si;
      case Kind::kPostReceive:
        return begin_s;
      case Kind::kWaitReceive: {
        const int posted = find(r, o.peer, {Kind::kPostReceive}, count(r, i, o.peer, {Kind::kWaitReceive}));
        const auto to_it = [&](const Message& m) { return m.to == r && m.receive == posted; };
        return std::max(begin_s, std::ranges::find_if(messages_, to_it)->arrival_s);
      }
      case Kind::kSend:
        if (free_early(o.amount)) return begin_s + cost(sent_by(r, i)).overhead_s;
        return std::max(begin_s, arrival(r, i));
      case Kind::kStartSend:
        return hockney_ ? begin_s : begin_s + cost(sent_by(r, i)).overhead_s;
      case Kind::kWaitSend: {
        // The oldest send that is started and not yet waited for is the n-th started one; plain sends in between do not
        // count.
        const int started = find(r, o.peer, {Kind::kStartSend}, count(r, i, o.peer, {Kind::kWaitSend}));
        return free_early(schedule_[r][started].amount) ? begin_s : std::max(begin_s, arrival(r, started));
      }
    }
    return begin_s;
  }

  const MessageCosts costs_;
  const std::vector<Binding>& ranks_;
  const Schedule& schedule_;
  const bool hockney_;
  std::vector<Message> messages_;
  std::vector<std::vector<double>> done_;
  bool changed_ = true;
};

TEST(ScheduleTime, IsWhatTheDefinitionSays) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  Machine machine = uniform_machine("node:2 pack:2 core:2 pu:1",
                                    {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 1, .link_gbs = 0.5});
  set_costs(machine, "System - Cluster", {.latency_us = 3.7, .overhead_us = 1.1, .bandwidth_gbs = 0.3, .link_gbs = 1});
  const std::vector<Binding> ranks =
      place(*machine.topology, 10, {.map_by = "core", .bind_to = "core", .oversubscribe = true});
  int timed_ones = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Schedule s = random_schedule(10, random);
    for (const CostModel model : {CostModel::kHockney, CostModel::kLogGP}) {
      double fast = 0;
      try {
        fast = time_schedule(MessageCosts(machine), ranks, s, model).completion.value;
      } catch (const std::logic_error&) {
        continue;  // Hockney's ends take messages in order: some schedules deadlock
      }
      ++timed_ones;
      const double slow = Slow(machine, ranks, s, model).completion();
      ASSERT_NEAR(fast, slow, 1e-12 * slow) << "trial " << trial;
    }
  }
  EXPECT_GT(timed_ones, 3000);
}

// Both models time a binomial tree of 16,384 ranks. An algorithm quadratic in the ranks would exceed this test's time
// limit.
TEST(ScheduleTime, SixteenThousandRanks) {
  const Machine machine = uniform_machine("node:512 pack:2 core:16 pu:1");
  const std::vector<Binding> ranks = place(*machine.topology, 16'384);
  for (const double bytes : {kSmall, kLarge}) {
    const MessageCosts costs(machine);
    const Schedule schedule = flat_schedule(broadcast(Algorithm::kBinomial, bytes), 16'384);
    const Timing t = time_schedule(costs, ranks, schedule, CostModel::kHockney);
    const Timing loggp = time_schedule(costs, ranks, schedule, CostModel::kLogGP);
    EXPECT_NEAR(t.completion.value, 14 * (1e-6 + (bytes + 16) / 1e9), 1e-15);
    EXPECT_FALSE(loggp.contention.has_value());  // 16 senders of 14 messages of 1 GB/s each fit links of 1000 GB/s
  }
}

}  // namespace
}  // namespace strata::models
