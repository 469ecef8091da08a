// SPDX-License-Identifier: LGPL-2.1-only
// Error bars of what a program measures, from runs with a latency and a bandwidth at either end of their intervals. The
// expected numbers follow from T = k (L + m / B).
#include "sim/launcher/point_bars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/launcher/run.h"
#include "tests/replay/small_machine.h"

namespace strata::sim {
namespace {

constexpr double kMessages = 10, kBytes = 1000;

// L = 10 +- 0.5 us and, on links that carry twice as much, B = 1 +- 0.125 GB/s.
Machine machine_with_intervals() {
  Machine m = replay::small_machine();
  for (LevelCosts& c : m.levels)
    c.link_bandwidth = Figure{c.bandwidth.si * 2, "B/s", "assumed: for a test", c.bandwidth.si * 2};
  m.levels.front().latency.plus_minus = 0.5e-6;
  m.levels.front().bandwidth.plus_minus = 0.125e9;
  return m;
}

PointBars bars_of(const Machine& machine) {
  return PointBars(std::make_shared<const replay::Ends>(replay::ends_of_intervals(machine)));
}

const Machine& machine_of(const PointBars& bars, const Machine& itself, std::size_t run) {
  return run == 0 ? itself : bars.machine(run);
}

// s.
double time_on(const Machine& m) {
  return kMessages * (m.levels.front().latency.si + kBytes / m.levels.front().bandwidth.si);
}

Json line(const char* metric, double value, const char* unit) {
  return {{"metric", metric}, {"value", value}, {"unit", unit}};
}

TEST(PointBars, OfATimeARateAndACount) {
  const Machine m = machine_with_intervals();
  PointBars bars = bars_of(m);
  ASSERT_EQ(bars.runs(), 5u);
  for (std::size_t run = 0; run < bars.runs(); ++run) {
    EXPECT_FALSE(bars.is_complete());
    const double t = time_on(machine_of(bars, m, run));
    bars.add(run, {line("time", t * 1e6, "us"), line("rate", kMessages / t, "1/s"), line("bytes", kBytes * t, "B")});
  }
  ASSERT_TRUE(bars.is_complete());
  const auto found = bars.bars();
  ASSERT_EQ(found.size(), 3u);
  ASSERT_TRUE(found[0] && found[1]);
  EXPECT_FALSE(found[2]) << "neither a time nor a rate";
  // Latency: 10 x 0.5 us. Bandwidth: 10 us (1 +- r), with r / (1 - r^2) = 0.125.
  const double r = (std::sqrt(1 + 4 * 0.125 * 0.125) - 1) / (2 * 0.125), t = 110;
  EXPECT_NEAR(found[0]->low, t - std::hypot(5, 10 * r), 1e-9);
  EXPECT_NEAR(found[0]->high, t + std::hypot(5, 10 * r), 1e-9);
  ASSERT_EQ(found[0]->figures.size(), 2u);
  EXPECT_THAT(found[0]->figures[0].figure, ::testing::HasSubstr(".latency"));
  EXPECT_NEAR(found[0]->figures[0].larger, 5, 1e-9);
  EXPECT_NEAR(found[0]->figures[0].smaller, -5, 1e-9);
  EXPECT_NEAR(found[0]->figures[1].larger, -10 * r, 1e-9);
  EXPECT_EQ(found[0]->figures[1].plus_minus, 0.125e9);
  EXPECT_FALSE(found[0]->figures[0].estimated);
  // More latency, fewer messages a second.
  const double slow = kMessages / 115e-6 - kMessages / 110e-6;
  EXPECT_NEAR(found[1]->figures[0].larger, slow, 1e-3);
  EXPECT_NEAR(found[1]->low, kMessages / 110e-6 - std::hypot(slow, kMessages / (t + 10 * r) * 1e6 - kMessages / 110e-6),
              1e-3);
}

TEST(PointBars, NameWhatARunChanges) {
  const PointBars bars = bars_of(machine_with_intervals());
  EXPECT_EQ(bars.change(0), "");
  EXPECT_THAT(bars.change(1), ::testing::EndsWith(".latency at 1.05e-05 s"));
  EXPECT_THAT(bars.change(2), ::testing::EndsWith(".latency at 9.5e-06 s"));
  EXPECT_EQ(bars.machine(1).levels.front().latency.si, 10.5e-6);
}

TEST(PointBars, AreMissingWithoutIntervals) {
  PointBars bars = bars_of(replay::small_machine());
  ASSERT_EQ(bars.runs(), 1u);
  bars.add(0, {line("time", 1, "s")});
  EXPECT_TRUE(bars.is_complete());
  EXPECT_FALSE(bars.bars().front());
}

TEST(PointBars, RefuseOtherMeasurements) {
  PointBars bars = bars_of(machine_with_intervals());
  for (std::size_t run = 0; run < bars.runs(); ++run) bars.add(run, {line(run == 2 ? "tome" : "time", 1, "s")});
  try {
    bars.bars();
    FAIL();
  } catch (const SimulationFailed& e) {
    EXPECT_THAT(e.what(), ::testing::HasSubstr(".latency at 9.5e-06 s, the program measures other things"));
  }
}

}  // namespace
}  // namespace strata::sim
