// SPDX-License-Identifier: LGPL-2.1-only
// Error bars, worked out by hand from the figures of small_machine.h, and those of random machines against a slow,
// obvious computation.
#include "replay/error_bar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/error.h"
#include "platforms/what_if.h"
#include "tests/replay/small_machine.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

constexpr double kRounding = 1e-11;  // s; each event of a replay may be off by 1e-12 s

ErrorBar bar_of(const Trace& trace, const Machine& machine, int jobs = 1) {
  const auto seconds = [&](const Machine& m) { return replay(trace, m, trace.cores).simulated_time; };
  return error_bar(machine, seconds(machine), seconds, jobs);
}

const FigureError& named(const ErrorBar& bar, std::string_view figure) {
  for (const FigureError& f : bar.figures) {
    if (f.figure.name == figure) return f;
  }
  throw std::logic_error(std::string(figure));
}

// `count` eager messages of 1000 B on the wire between two nodes, to and fro.
Trace ping_pong(int count) {
  std::vector<std::vector<TraceStep>> ranks(4);
  for (int i = 0; i < count; ++i) {
    const int from = i % 2 == 0 ? 0 : 2, to = 2 - from;
    ranks[from].push_back(send(2, 984));
    ranks[to].insert(ranks[to].end(), {receive(2, 984), wait(1)});
  }
  return trace_of(ranks);
}

// Its links carry twice what a message gets, so both ends of each interval are possible.
Machine wide_machine() {
  Machine m = small_machine();
  for (LevelCosts& c : m.levels)
    c.link_bandwidth = Figure{c.bandwidth.si * 2, "B/s", "assumed: for a test", c.bandwidth.si * 2};
  return m;
}

// A bandwidth of 1, +- x: times per byte of 1 +- r, for (1 / (1 - r) - 1 / (1 + r)) / 2 = r / (1 - r^2) = x.
double relative(double x) {
  double low = 0, high = 1;
  for (int i = 0; i < 100; ++i) {
    const double r = (low + high) / 2;
    (r / (1 - r * r) < x ? low : high) = r;
  }
  return low;
}

std::string network(const Machine& m) { return m.levels.front().level; }

TEST(ErrorBar, OfAPingPongByHand) {
  constexpr int kMessages = 10;  // T = k (L + m / B) = 10 (10 us + 1000 B / (1 GB/s)) = 110 us
  Machine m = wide_machine();
  m.levels.front().latency.plus_minus = 0.5 * kMicrosecond;
  m.levels.front().bandwidth.plus_minus = 0.125e9;
  const ErrorBar bar = bar_of(ping_pong(kMessages), m);
  ASSERT_EQ(bar.figures.size(), 2u);
  const FigureError& latency = named(bar, network(m) + ".latency");
  EXPECT_NEAR(latency.larger, 5e-6, kRounding);
  EXPECT_NEAR(latency.smaller, -5e-6, kRounding);
  const FigureError& bandwidth = named(bar, network(m) + ".bandwidth");
  const double r = relative(0.125);
  EXPECT_NEAR(bandwidth.larger, -r * 10e-6, kRounding);
  EXPECT_NEAR(bandwidth.smaller, r * 10e-6, kRounding);
  EXPECT_FALSE(latency.estimated || bandwidth.estimated);
  EXPECT_NEAR(bar.high, 110e-6 + std::hypot(5e-6, r * 10e-6), kRounding);
  EXPECT_NEAR(bar.low, 110e-6 - std::hypot(5e-6, r * 10e-6), kRounding);
  EXPECT_DOUBLE_EQ(latency.low, 9.5 * kMicrosecond);
  EXPECT_DOUBLE_EQ(latency.high, 10.5 * kMicrosecond);
  EXPECT_NEAR(bandwidth.high - bandwidth.low, 0.25e9, 1);
  // The example of the header, which has no envelopes.
  EXPECT_NEAR(bandwidth.low * 8, 7.123e9, 1e6);
  EXPECT_NEAR(bandwidth.high * 8, 9.123e9, 1e6);
  EXPECT_NEAR(2 * r, 0.246, 5e-4);
  EXPECT_NEAR(std::hypot(0.1, 2 * r), 0.266, 5e-4);
}

// Short messages say little about the bandwidth.
TEST(ErrorBar, OfAnIntervalThatIsWiderThanItsValue) {
  Machine m = wide_machine();
  for (LevelCosts& c : m.levels) c.link_bandwidth = Figure{100e9, "B/s", "assumed: for a test", 100e9};
  m.levels.front().bandwidth.plus_minus = 5e9;  // of 1e9
  const ErrorBar bar = bar_of(ping_pong(10), m);
  const FigureError& bandwidth = bar.figures.front();
  EXPECT_FALSE(bandwidth.estimated);
  EXPECT_GT(bandwidth.low, 0);
  EXPECT_NEAR(bandwidth.high - bandwidth.low, 10e9, 1);
  EXPECT_NEAR(bandwidth.smaller, relative(5) * 10e-6, kRounding);
  EXPECT_NEAR(bar.low, 110e-6 - relative(5) * 10e-6, kRounding);
}

TEST(ErrorBar, AFigureWithoutEffectAddsNothing) {
  Machine m = wide_machine();
  m.levels.back().latency.plus_minus = 0.5 * kMicrosecond;  // no message stays in a node
  m.core_speed.plus_minus = 1e8;
  const ErrorBar bar = bar_of(ping_pong(4), m);
  ASSERT_EQ(bar.figures.size(), 2u);
  for (const FigureError& f : bar.figures) {
    EXPECT_EQ(f.larger, 0) << f.figure.name;
    EXPECT_EQ(f.smaller, 0) << f.figure.name;
  }
  EXPECT_EQ(bar.low, bar.high);
  EXPECT_NEAR(bar.low, 44e-6, kRounding);
}

TEST(ErrorBar, AMachineWithoutIntervalsHasNone) {
  const ErrorBar bar = bar_of(ping_pong(4), small_machine());
  EXPECT_TRUE(bar.figures.empty());
  EXPECT_EQ(bar.without, speeds_and_times(small_machine()).size());
  EXPECT_EQ(bar.low, bar.high);
}

TEST(ErrorBar, AnEndThatIsNotPossibleIsMinusTheOther) {
  Machine m = small_machine();  // a message gets all of its link
  m.levels.front().bandwidth.plus_minus = 0.125e9;
  const ErrorBar bar = bar_of(ping_pong(10), m);
  const FigureError& bandwidth = bar.figures.front();
  EXPECT_TRUE(bandwidth.estimated);
  EXPECT_NEAR(bandwidth.smaller, relative(0.125) * 10e-6, kRounding);
  EXPECT_EQ(bandwidth.larger, -bandwidth.smaller);
  EXPECT_NEAR(bar.low, 110e-6 - relative(0.125) * 10e-6, kRounding);
}

// Both ways together carry 1.4 GB/s, and may carry 1 to 2 GB/s: 1.09 to 1.97 GB/s are possible, 0.94 to 2.70 are not.
TEST(ErrorBar, OfAnIntervalThatIsTooWide) {
  Machine m = small_machine();
  m.levels.front().duplex_bandwidth = Figure{1.4e9, "B/s", "assumed: for a test", 1.4e9, 0.88e9};
  const double bytes = 1e6 - 16;
  const auto exchange = [&] {
    return std::vector<TraceStep>{receive(2, bytes), send(2, bytes, TraceStep::kImmediate), wait(2), wait(1)};
  };
  const ErrorBar bar = bar_of(trace_of({exchange(), {}, exchange(), {}}), m);
  const FigureError& duplex = named(bar, network(m) + ".duplex_bandwidth");
  EXPECT_TRUE(duplex.estimated);
  const double half = relative(0.44 / 1.4) * 2e6 / 1.4e9;
  EXPECT_NEAR(duplex.larger, -2 * half, 1e-9);
  EXPECT_NEAR(duplex.smaller, 2 * half, 1e-9);
}

TEST(ErrorBar, NoTimeIsBelowZero) {
  Machine m = wide_machine();
  LevelCosts& c = m.levels.front();
  c.overhead = Figure{0, "s", "assumed: for a test", 0};
  c.latency.plus_minus = 15 * kMicrosecond;  // of 10 us
  const ErrorBar bar = bar_of(ping_pong(10), m);
  const FigureError& latency = named(bar, network(m) + ".latency");
  EXPECT_FALSE(latency.estimated);
  EXPECT_NEAR(latency.larger, 150e-6, kRounding);
  EXPECT_NEAR(latency.smaller, -100e-6, kRounding);
  EXPECT_NEAR(bar.low, 10e-6, kRounding);
}

TEST(ErrorBar, HasOneSideAtAKink) {
  Machine m = small_machine();
  m.core_speed.plus_minus = 2e8;  // of 1e9
  // Rank 0 computes for as long as rank 1 sleeps: faster cores gain nothing.
  const ErrorBar bar = bar_of(trace_of({{flops(1e9)}, {sleep(1)}}), m);
  EXPECT_EQ(bar.low, 1);
  EXPECT_NEAR(bar.high, 1 + relative(0.2), kRounding);
}

TEST(ErrorBar, TellsEachReplayAndWhatFails) {
  Machine m = wide_machine();
  m.levels.front().latency.plus_minus = 0.5 * kMicrosecond;
  m.levels.front().bandwidth.plus_minus = 0.1e9;
  std::size_t told = 0;
  const auto count = [&](std::size_t all) {
    EXPECT_EQ(all, 4u);
    ++told;
  };
  error_bar(
      m, 1, [](const Machine&) { return 1.0; }, 3, count);
  EXPECT_EQ(told, 4u);
  const auto failing = [](const Machine&) -> double { throw std::runtime_error("no end"); };
  EXPECT_THROW(error_bar(m, 1, failing, 3), std::runtime_error);
}

// Machines whose figures are drawn from normal distributions with these 95 % intervals: 95 % of their times are in the
// bar.
TEST(ErrorBar, CoversTheTimesOfRandomFigures) {
  constexpr int kMachines = 2000;
  constexpr double kSigmas = 1.96;  // half of the width of a normal distribution's 95 % interval
  Machine m = wide_machine();
  LevelCosts& c = m.levels.front();
  c.latency.plus_minus = 0.5 * kMicrosecond;
  c.bandwidth.plus_minus = 0.1e9;
  const Trace trace = ping_pong(10);
  const ErrorBar bar = bar_of(trace, m);
  std::mt19937 random(1);
  int inside = 0;
  for (int i = 0; i < kMachines; ++i) {
    std::vector<WhatIf> drawn;
    for (const FigureError& f : bar.figures) {
      const Figure& figure = f.figure.figure;
      const bool is_time = figure.unit == "s";
      const double value = is_time ? figure.value : 1 / figure.value, end = is_time ? f.high : 1 / f.low;
      const double it = std::normal_distribution<double>(value, (end - value) / kSigmas)(random);
      drawn.push_back({"test", f.figure.name, is_time ? it : 1 / it, figure.unit, "assumed: for a test"});
    }
    const double time = replay(trace, what_if(m, drawn), trace.cores).simulated_time;
    if (time >= bar.low && time <= bar.high) ++inside;
  }
  // Four standard deviations of a binomial distribution.
  const double share = static_cast<double>(inside) / kMachines, off = 4 * std::sqrt(0.95 * 0.05 / kMachines);
  std::printf("%.1f %% of %d machines are in the bar\n", 100 * share, kMachines);
  EXPECT_NEAR(share, 0.95, off);
}

// One replay after another, with all rules written out.
ErrorBar slow_bar(const Trace& trace, const Machine& machine) {
  const double now = replay(trace, machine, trace.cores).simulated_time;
  double later = 0, earlier = 0;
  for (const NamedFigure& f : speeds_and_times(machine)) {
    double changes[2] = {0, 0};
    bool exists[2] = {false, false};
    for (double part = 1; part >= 1.0 / 1024 && !exists[0] && !exists[1]; part /= 2) {
      for (int side = 0; side < 2; ++side) {
        const double half = part * f.figure.plus_minus;
        double value = f.figure.value + (side == 0 ? half : -half);
        if (f.figure.unit != "s") value = f.figure.value / (1 - (side == 0 ? 1 : -1) * relative(half / f.figure.value));
        if (value < 0) value = 0;
        try {
          const Machine there = what_if(machine, {{"test", f.name, value, f.figure.unit, "assumed: for a test"}});
          changes[side] = (replay(trace, there, trace.cores).simulated_time - now) / part;
          exists[side] = true;
        } catch (const InputError&) {
        }
      }
    }
    if (exists[0] && !exists[1]) changes[1] = -changes[0];
    if (exists[1] && !exists[0]) changes[0] = -changes[1];
    const double most = std::max(changes[0], changes[1]), least = std::min(changes[0], changes[1]);
    if (most > 0) later += most * most;
    if (least < 0) earlier += least * least;
  }
  ErrorBar bar;
  bar.low = std::max(0.0, now - std::sqrt(earlier));
  bar.high = now + std::sqrt(later);
  return bar;
}

TEST(ErrorBar, OfRandomMachinesAndPrograms) {
  int estimated = 0, two_sided = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> share(0, 1);
    RandomProgram program(seed);
    Machine m = small_machine("node:2 core:3 pu:1");
    for (LevelCosts& c : m.levels) {
      if (share(random) < 0.5)
        c.link_bandwidth = Figure{c.bandwidth.si * 1.2, "B/s", "assumed: for a test", c.bandwidth.si * 1.2};
      for (Figure* f : {&c.latency, &c.overhead, &c.bandwidth, &c.link_bandwidth}) {
        if (share(random) < 0.7) f->plus_minus = f->value * share(random) * (share(random) < 0.2 ? 1.5 : 0.3);
      }
    }
    if (share(random) < 0.5) m.core_speed.plus_minus = 0.2e9 * share(random);
    const Trace trace = program.make(6, 40, 1e-4 * m.core_speed.si, true);
    const ErrorBar bar = bar_of(trace, m), slow = slow_bar(trace, m);
    EXPECT_NEAR(bar.low, slow.low, kRounding) << "seed " << seed;
    EXPECT_NEAR(bar.high, slow.high, kRounding) << "seed " << seed;
    const ErrorBar threads = bar_of(trace, m, 3);
    EXPECT_EQ(bar.low, threads.low) << "seed " << seed;
    EXPECT_EQ(bar.high, threads.high) << "seed " << seed;
    for (const FigureError& f : bar.figures) (f.estimated ? estimated : two_sided)++;
  }
  std::printf("%d figures with both ends, %d estimated\n", two_sided, estimated);
  EXPECT_GT(estimated, 5);
  EXPECT_GT(two_sided, 20);
}

}  // namespace
}  // namespace strata::replay
