// SPDX-License-Identifier: LGPL-2.1-only
// Flows without a machine: worked examples, and random messages and works, compared with a simulation that computes all
// shares from scratch at each event.
#include "flow/flows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/flow/slow_shares.h"

namespace strata::flow {
namespace {

constexpr double kPrecision = 1e-12;  // s

// Runs until everything has ended, and returns the time at which each number ended.
std::map<int, double> ends_of(Flows& flows, double now) {
  std::map<int, double> ends;
  for (double s; (s = flows.until_next(now)) >= 0;) {
    now += s;
    flows.advance(now, [&](int id) { ends[id] = now; });
  }
  return ends;
}

Path path(double latency_s, double bandwidth, const std::vector<FairShares::Use>& uses) {
  return {.latency_s = latency_s, .bandwidth = bandwidth, .uses = uses};
}

TEST(Flows, AMessageAlone) {
  Flows flows(kPrecision);
  const int link = flows.add_link(100);
  const int id = flows.start_message(0, 1, 30, path(2, 10, {{link, 1}}), 1);
  EXPECT_EQ(flows.under_way(), 1);
  EXPECT_EQ(ends_of(flows, 1), (std::map<int, double>{{id, 1 + 2 + 3}}));
  EXPECT_EQ(flows.under_way(), 0);
  EXPECT_EQ(flows.sent(), 1);
  EXPECT_EQ(flows.carried()[link].bytes, 30);
  EXPECT_EQ(flows.carried()[link].messages, 1);
}

TEST(Flows, ALimitIsOneMoreBound) {
  Flows flows(kPrecision);
  const int link = flows.add_link(100);
  const Path p = path(0, 10, {{link, 1}});
  const int slow = flows.start_message(0, 1, 30, p, 0, 5), fast = flows.start_message(0, 1, 30, p, 0, 50);
  EXPECT_EQ(ends_of(flows, 0), (std::map<int, double>{{slow, 6}, {fast, 3}}));
}

// Two messages share a link of 10. From t = 2 on, a work with weight 2 shares it too: 10 = 2.5 + 2.5 + 2 * 2.5.
TEST(Flows, WorksTakeTheirShare) {
  Flows flows(kPrecision);
  const int link = flows.add_link(10);
  const Path message = path(0, 100, {{link, 1}});
  const int a = flows.start_message(0, 1, 15, message, 0), b = flows.start_message(0, 1, 25, message, 0);
  std::map<int, double> ends;
  double now = 0;
  flows.advance(now += flows.until_next(now), [](int) { FAIL(); });  // their latencies are over
  EXPECT_EQ(flows.until_next(now), 3);
  now = 2;
  const int work = flows.start_work(5, path(0, 100, {{link, 2}}), now);
  EXPECT_EQ(flows.working(), 1);
  ends = ends_of(flows, now);
  EXPECT_DOUBLE_EQ(ends[a], 4);     // 10 until t = 2, then 5 at a rate of 2.5
  EXPECT_DOUBLE_EQ(ends[work], 4);  // 5 at a rate of 2.5
  EXPECT_DOUBLE_EQ(ends[b], 5);     // 10 until t = 2, then 5 at a rate of 2.5, then 10 at a rate of 10
  EXPECT_EQ(flows.working(), 0);
  EXPECT_EQ(flows.carried()[link].bytes, 15 + 25 + 2 * 5);
  EXPECT_EQ(flows.carried()[link].messages, 2);
}

// The gate lets one message through every 3 s; the latency of a message begins when it passes.
TEST(Flows, AGateLetsOneThroughAtATime) {
  Flows flows(kPrecision);
  const int link = flows.add_link(1000);
  const int gate = flows.add_gate();
  Path p = path(1, 10, {{link, 1}});
  p.gate = gate;
  p.gate_s = 3;
  std::vector<int> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(flows.start_message(0, 1, 20, p, 0));
  const std::map<int, double> ends = ends_of(flows, 0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ends.at(ids[i]), 3 * i + 1 + 2);
}

TEST(Flows, SuspendedItLeavesItsLinksToOthers) {
  Flows flows(kPrecision);
  const int link = flows.add_link(10);
  const Path p = path(0, 100, {{link, 1}});
  const int a = flows.start_message(0, 1, 20, p, 0), b = flows.start_message(0, 1, 20, p, 0);
  double now = 0;
  flows.advance(now += flows.until_next(now), [](int) { FAIL(); });
  flows.until_next(now);
  now = 2;  // each has 10 left
  flows.suspend(a, now);
  EXPECT_EQ(flows.remains(a, now), 10);
  EXPECT_EQ(flows.until_next(now), 1);
  flows.advance(now += 1, [&](int id) { EXPECT_EQ(id, b); });
  EXPECT_LT(flows.until_next(now), 0);
  now = 7;
  EXPECT_EQ(flows.remains(a, now), 10);
  flows.resume(a, now);
  EXPECT_EQ(ends_of(flows, now), (std::map<int, double>{{a, 8}}));
}

TEST(Flows, WhatHasPassedOfACancelledMessageCounts) {
  Flows flows(kPrecision);
  const int link = flows.add_link(10);
  const Path p = path(0, 100, {{link, 1}});
  const int a = flows.start_message(0, 1, 20, p, 0);
  double now = 0;
  flows.advance(now += flows.until_next(now), [](int) { FAIL(); });
  flows.until_next(now);
  now = 1.25;
  flows.cancel(a, now);
  EXPECT_EQ(flows.under_way(), 0);
  EXPECT_EQ(flows.carried()[link].bytes, 12);
  EXPECT_EQ(flows.carried()[link].messages, 0);
  EXPECT_LT(flows.until_next(now), 0);
  EXPECT_EQ(flows.start_message(0, 1, 20, p, now), a) << "its number is free";
}

TEST(Flows, CountsQueuesByWeight) {
  Flows flows(kPrecision);
  const int x = flows.add_link(10), y = flows.add_link(10);
  const std::vector<double>& queued = flows.count_queued();
  flows.start_message(0, 1, 20, path(1, 10, {{x, 1}, {y, 0.25}}), 0);
  const int b = flows.start_message(0, 1, 20, path(1, 10, {{x, 0.5}}), 0);
  EXPECT_EQ(queued, (std::vector{1.5, 0.25}));
  flows.cancel(b, 0.5);
  EXPECT_EQ(queued, (std::vector{1, 0.25}));
  ends_of(flows, 0.5);
  EXPECT_EQ(queued, (std::vector{0.0, 0.0}));
}

// The end of one message may start the next, which must not get the number of the message that is just ending.
TEST(Flows, AnEndMayStartOthers) {
  Flows flows(kPrecision);
  const int link = flows.add_link(10);
  const Path p = path(1, 10, {{link, 1}});
  int last = flows.start_message(0, 1, 10, p, 0), ended = 0;
  double now = 0;
  for (double s; (s = flows.until_next(now)) >= 0;) {
    now += s;
    flows.advance(now, [&](int id) {
      EXPECT_EQ(id, last);
      if (++ended == 10) return;
      last = flows.start_message(0, 1, 10, p, now);
      EXPECT_NE(last, id);
    });
  }
  EXPECT_EQ(now, 20);
  EXPECT_LT(last, 2) << "two numbers are enough";
}

struct Slow {
  SlowFlow flow;
  double begins_s;  // end of its latency
  double left;
  bool suspended = false;
};

// Advances all flows from event to event, at the rates computed from scratch.
class SlowFlows {
 public:
  explicit SlowFlows(std::vector<double> capacities) : capacities_(std::move(capacities)) {}

  // Advances to `until` (s), and returns the time at which each key ended.
  std::map<int, double> run(double until) {
    std::map<int, double> ends;
    while (true) {
      std::map<int, SlowFlow> going;
      for (const auto& [key, s] : all_) {
        if (!s.suspended && s.begins_s <= now_) going[key] = s.flow;
      }
      const std::map<int, double> rates = slow_shares(capacities_, going);
      double next = until;
      for (const auto& [key, s] : all_) {
        if (s.suspended) continue;
        next = std::min(next, s.begins_s > now_ ? s.begins_s : now_ + s.left / rates.at(key));
      }
      if (next == std::numeric_limits<double>::infinity()) return ends;
      for (const auto& [key, rate] : rates) all_[key].left -= rate * (next - now_);
      now_ = next;
      std::erase_if(all_, [&](const auto& entry) {
        const bool over = rates.contains(entry.first) && entry.second.left <= 1e-9;
        if (over) ends[entry.first] = now_;
        return over;
      });
      if (now_ >= until) return ends;
    }
  }

  std::map<int, Slow>& all() { return all_; }

 private:
  std::vector<double> capacities_;
  std::map<int, Slow> all_;
  double now_ = 0;
};

class AtRandom {
 public:
  explicit AtRandom(unsigned seed) : random_(seed), slow_(capacities()) {
    for (const double c : capacities_) fast_.add_link(c);
    for (int g = 0; g < 2; ++g) fast_.add_gate();
    open_s_.resize(2);
  }

  void run(int steps) {
    for (int step = 0; step < steps && !::testing::Test::HasFailure(); ++step) {
      switch (random_() % 8) {
        case 0:
          change();
          break;
        case 1:
        case 2:
          start_work();
          break;
        default:
          start_message();
      }
      go_on(now_ + static_cast<double>(random_() % 1000) * 1e-3);
    }
    for (auto& [key, s] : slow_.all()) {
      if (!s.suspended) continue;
      resume(key, s);
    }
    go_on(std::numeric_limits<double>::infinity());
    EXPECT_TRUE(id_of_.empty());
    EXPECT_EQ(fast_.under_way() + fast_.working(), 0);
  }

 private:
  const std::vector<double>& capacities() {
    for (int l = 0; l < 8; ++l) capacities_.push_back(1 + static_cast<double>(random_() % 7));
    return capacities_;
  }

  Path random_path() {
    Path p;
    p.bandwidth = random_() % 2 == 0 ? 1e3 : 1 + static_cast<double>(random_() % 3);
    for (int l = static_cast<int>(random_() % 3); l < 8; l += 1 + static_cast<int>(random_() % 4)) {
      p.uses.push_back({l, std::vector{1.0, 2.0, 0.25}[random_() % 3]});
    }
    return p;
  }

  void remember(int id, const Path& p, double begins_s, double amount) {
    Slow s{{{}, p.bandwidth}, begins_s, amount};
    for (const FairShares::Use& use : p.uses) s.flow.weights[use.link] = use.weight;
    EXPECT_TRUE(key_of_.emplace(id, next_key_).second) << "its number is taken";
    id_of_[next_key_] = id;
    slow_.all().emplace(next_key_++, s);
  }

  void start_work() {
    const Path p = random_path();
    const double amount = 1 + static_cast<double>(random_() % 9);
    remember(fast_.start_work(amount, p, now_), p, now_, amount);
  }

  void start_message() {
    Path p = random_path();
    p.latency_s = static_cast<double>(random_() % 3) * 0.3;
    double begins_s = now_ + p.latency_s;
    if (random_() % 2 == 0) {
      p.gate = static_cast<int>(random_() % 2);
      p.gate_s = 0.7;
      double& open_s = open_s_[p.gate];
      begins_s += std::max(0.0, open_s - now_);
      open_s = std::max(now_, open_s) + p.gate_s;
    }
    const double bytes = 1 + static_cast<double>(random_() % 9);
    remember(fast_.start_message(0, 1, bytes, p, now_), p, begins_s, bytes);
  }

  // Cancels, suspends or resumes one flow.
  void change() {
    if (slow_.all().empty()) return;
    const auto at = std::next(slow_.all().begin(), static_cast<long>(random_() % slow_.all().size()));
    Slow& s = at->second;
    const int key = at->first, id = id_of_.at(key);
    EXPECT_NEAR(fast_.remains(id, now_), s.left, 1e-9);
    if (s.suspended) {
      resume(key, s);
    } else if (random_() % 2 == 0) {
      fast_.suspend(id, now_);
      s.suspended = true;
      s.begins_s = std::max(s.begins_s - now_, 0.0);  // the rest of its latency
    } else {
      fast_.cancel(id, now_);
      key_of_.erase(id);
      id_of_.erase(key);
      slow_.all().erase(at);
    }
  }

  void resume(int key, Slow& s) {
    fast_.resume(id_of_.at(key), now_);
    s.suspended = false;
    s.begins_s += now_;
  }

  // Advances both simulations to `until`: the same flows end at the same times.
  void go_on(double until) {
    const std::map<int, double> expected = slow_.run(until);
    std::map<int, double> ends;
    double last = now_;
    for (double s; (s = fast_.until_next(now_)) >= 0 && now_ + s <= until + kSame;) {
      now_ += s;
      EXPECT_GE(now_, last);
      last = now_;
      fast_.advance(now_, [&](int id) {
        const auto key = key_of_.find(id);
        ASSERT_NE(key, key_of_.end());
        ends[key->second] = now_;
        id_of_.erase(key->second);
        key_of_.erase(key);
      });
    }
    if (std::isfinite(until)) fast_.advance(now_ = until, [](int) { FAIL() << "it was due before"; });
    ASSERT_EQ(ends.size(), expected.size());
    for (const auto& [key, time] : expected) ASSERT_NEAR(ends.at(key), time, 1e-9) << key;
  }

  static constexpr double kSame = 1e-9;  // s: an event this soon after now counts as now
  std::mt19937 random_;
  std::vector<double> capacities_, open_s_;
  Flows fast_{kSame};
  SlowFlows slow_;
  std::map<int, int> key_of_, id_of_;  // by the number in fast_; by the key in slow_
  int next_key_ = 0;
  double now_ = 0;
};

TEST(Flows, LikeSharingOutFromScratchAtRandom) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (unsigned round = 0; round < 40; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    AtRandom(seed + round).run(150);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace strata::flow
