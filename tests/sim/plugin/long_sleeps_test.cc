// SPDX-License-Identifier: LGPL-2.1-only
// Sleeps end when they should, also in simulations so long that the spacing of doubles exceeds SimGrid's precision.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "platforms/core_name.h"
#include "platforms/machine.h"
#include "sim/plugin/machine_zone.h"
#include "sim/simgrid/version.h"

namespace strata::sim {
namespace {

namespace s4u = simgrid::s4u;

// Runs in its own process, because a process can have only one SimGrid engine. Exits with 0 if all actors wake up every
// time within a few roundings of the date.
[[noreturn]] void sleep_long(const Machine& machine) {
  constexpr int kActors = 200, kSleeps = 10;
  constexpr unsigned kSeed = 7;
  constexpr double kTolerance = 1e-10;  // s; doubles below 2^20 s are 1.2e-10 s apart
  static int argc = 3;
  static std::string quiet = "--log=root.thres:critical", precision = std::string("--cfg=") + kPrecision + ":1e-12";
  static char name[] = "sleeps";
  static char* argv[] = {name, quiet.data(), precision.data(), nullptr};
  s4u::Engine engine(&argc, argv);
  new MachineZone(machine);  // the engine ends with the process
  std::mt19937 random(kSeed);
  int awake = 0, late = 0;
  for (int i = 0; i < kActors; ++i) {
    std::vector<double> sleeps;
    for (int k = 0; k < kSleeps; ++k) sleeps.push_back(1 + static_cast<double>(random()) * (3e4 / 4294967296.0));
    s4u::Host* host = engine.host_by_name(core_name(*machine.topology, i % 2));
    const auto code = [&awake, &late, sleeps] {
      for (const double s : sleeps) {
        const double until = s4u::Engine::get_clock() + s;
        s4u::this_actor::sleep_for(s);
        ++awake;
        late += std::abs(s4u::Engine::get_clock() - until) > kTolerance ? 1 : 0;
      }
    };
#ifdef STRATA_SIMGRID_3_32
    s4u::Actor::create("sleeper" + std::to_string(i), host, code);
#else
    engine.add_actor("sleeper" + std::to_string(i), host, code);
#endif
  }
  engine.run();
  std::fprintf(stderr, "%d of %d sleeps ended, %d of them late\n", awake, kActors * kSleeps, late);
  std::_Exit(awake == kActors * kSleeps && late == 0 ? 0 : 1);
}

TEST(LongSleepsDeathTest, End) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(sleep_long(machine_from_tree("pack:2 core:1")), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace strata::sim
