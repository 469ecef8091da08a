// SPDX-License-Identifier: LGPL-2.1-only
// The effect of one percent of a figure on the time. If nothing is shared, the critical path predicts the effect that
// replays show, within a thousandth; contention and kinks are recognized.
#include "replay/sensitivity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string_view>

#include "platforms/machine.h"
#include "replay/engine.h"
#include "tests/process/process.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

const Machine& machine() {
  static const Machine m = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  return m;
}

const Machine& without_memory() {
  static const Machine m = [] {
    Machine changed = machine();
    changed.memory.reset();
    return changed;
  }();
  return m;
}

std::vector<Sensitivity> of(const Trace& trace, const Machine& m, int jobs = 1) {
  History history;
  replay(trace, m, trace.cores, {.history = &history});
  const std::vector<PathStep> path = critical_steps(history);
  return sensitivities(
      m, trace.cores, history, path,
      [&](const Machine& changed) { return replay(trace, changed, trace.cores).simulated_time; }, jobs);
}

const Sensitivity& named(const std::vector<Sensitivity>& all, std::string_view figure) {
  for (const Sensitivity& s : all) {
    if (s.figure.name == figure) return s;
  }
  throw std::logic_error(std::string(figure));
}

TEST(Sensitivity, IsThatOfEachPart) {
  const double second = machine().core_speed.si, bytes = 1 << 20;
  const std::string level = machine()
                                .costs_at(machine().topology->lowest_common_ancestor(machine().topology->cores()[0],
                                                                                     machine().topology->cores()[1]))
                                ->level;
  const std::vector<Sensitivity> all =
      of(trace_of({{flops(second), send(1, bytes), wait(1)}, {receive(1, bytes), wait(1)}}), without_memory());
  const LevelCosts& costs = *machine().costs_at(
      machine().topology->lowest_common_ancestor(machine().topology->cores()[0], machine().topology->cores()[1]));
  // f(x) = a / x: (f(1.01) - f(0.99)) / 2 = -0.010001 a.
  const double of_inverse = -(1 / 0.99 - 1 / 1.01) / 2;
  const Sensitivity& speed = named(all, "core.speed");
  EXPECT_NEAR(speed.replays, of_inverse, 1e-9);
  EXPECT_NEAR(speed.path, of_inverse, 1e-9);
  EXPECT_TRUE(speed.same);
  EXPECT_FALSE(speed.kink);
  const Sensitivity& latency = named(all, level + ".latency");
  EXPECT_NEAR(latency.replays, 0.01 * costs.latency.si, 1e-11);
  EXPECT_NEAR(latency.path, 0.01 * costs.latency.si, 1e-11);
  // A long blocking send has no overhead of its own: overhead is subtracted from latency.
  EXPECT_NEAR(named(all, level + ".overhead").path, -0.01 * costs.overhead.si, 1e-11);
  EXPECT_TRUE(named(all, "core.copy_bandwidth").is_zero());
}

TEST(Sensitivity, TellsAKink) {
  const double second = machine().core_speed.si;
  // Rank 0 computes for as long as rank 1 sleeps: faster cores gain nothing, slower ones lose time.
  const std::vector<Sensitivity> all = of(trace_of({{flops(second)}, {sleep(1)}}), machine());
  const Sensitivity& speed = named(all, "core.speed");
  EXPECT_TRUE(speed.kink);
  EXPECT_FALSE(speed.same);
  EXPECT_EQ(speed.more, 0);
  EXPECT_NEAR(*speed.less, 1 / 0.99 - 1, 1e-9);
  // Without the tie the time has no kink.
  EXPECT_FALSE(named(of(trace_of({{flops(1.1 * second)}, {sleep(1)}}), machine()), "core.speed").kink);
}

TEST(Sensitivity, RandomProgramsByPathAndByReplays) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RandomProgram random(seed);
    const Trace trace = random.make(6, 60, 1e-4 * machine().core_speed.si, false);
    const std::vector<Sensitivity> one = of(trace, without_memory()), two = of(trace, without_memory(), 2);
    std::printf("seed %u\n", seed);
    int figures = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
      const Sensitivity& s = one[i];
      EXPECT_EQ(s.replays, two[i].replays) << "by two threads";
      if (s.is_zero()) continue;
      ++figures;
      std::printf("  %-28s path %12.5g s, replays %12.5g s%s%s\n", s.figure.name.c_str(), s.path, s.replays,
                  s.same ? "" : ", differ", s.kink ? ", kink" : "");
      const double rounding = 1e-10;
      if (!s.kink && s.more && s.less) {
        EXPECT_NEAR(s.replays, s.path, 1e-3 * std::abs(s.path) + rounding) << s.figure.name;
      }
    }
    EXPECT_GE(figures, 3);
  }
}

}  // namespace
}  // namespace strata::replay
