// SPDX-License-Identifier: LGPL-2.1-only
// A fixture that runs profile_mpi_program with libstrata_profile.so preloaded. On the unit machine
// (tests/sim/unit_machine.h) a small message occupies its sender for 1 us and then takes 100 ns; a large one waits for
// its receiver and takes 10 us.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "records/profile.h"
#include "sim/launcher/simulation.h"
#include "sim/launcher/smpimain.h"
#include "tests/process/process.h"
#include "tests/sim/unit_machine.h"

namespace strata {

inline constexpr double kMs = 1e-3, kUs = 1e-6;                 // s
inline constexpr double kOverhead = 1 * kUs;                    // of a small message, for its sender
inline constexpr double kSmall = 100 * kNs, kLarge = 10 * kUs;  // their times on the network
inline constexpr double kRounding = 1e-12;                      // s: SimGrid's precision as the launcher sets it

class Profiled : public ::testing::Test {
 protected:
  Profiled() { folder_.write("machine.yaml", unit_machine()); }

  // Runs the program, and returns its profile; expects that it writes one.
  Profile run(int ranks, const std::string& what, const std::vector<std::string>& options = {}) {
    ran_ = start(ranks, what, options, {});
    Profile profile = read_profile(path());
    EXPECT_EQ(profile.ranks.size(), static_cast<size_t>(ranks));
    double last = 0, in_mpi = 0, waiting = 0, in_calls = 0, waiting_in_calls = 0;
    for (const RankProfile& r : profile.ranks) {
      EXPECT_NEAR(r.computing + r.communicating + r.waiting, r.end, kRounding);
      last = std::max(last, r.end);
      in_mpi += r.communicating + r.waiting;
      waiting += r.waiting;
    }
    EXPECT_EQ(profile.simulated_time, last);
    for (const CallProfile& c : profile.calls) in_calls += c.seconds, waiting_in_calls += c.waiting;
    EXPECT_NEAR(in_calls, in_mpi, ranks * kRounding);
    EXPECT_NEAR(waiting_in_calls, waiting, ranks * kRounding);
    return profile;
  }

  Ran start(int ranks, const std::string& what, const std::vector<std::string>& options, Surroundings surroundings) {
    std::string hosts, bindings;
    for (int rank = 0; rank < ranks; ++rank) {
      hosts += "node0.core" + std::to_string(rank) + "\n";
      bindings += std::to_string(rank) + " 0 " + std::to_string(rank) + "\n";
    }
    folder_.write("hosts", hosts);
    folder_.write("placement",
                  "node-synthetic l3:2 core:2 pu:1\nnetwork 2\nbindings " + folder_.write("bindings", bindings) + "\n");
    std::filesystem::remove(path());
    std::filesystem::remove(events());
    surroundings.folder = folder_.path();
    sim::Stage stage;
    stage.folder = folder_.path();
    stage.ranks = ranks;
    stage.eager_limit_bytes = 1024;
    stage.catalog_program = false;
    for (const auto& [name, value] : environment_of(stage)) {
      if (value) surroundings.environment[name] = *value;
    }
    surroundings.environment.emplace("STRATA_PROFILE", path());
    if (keep_events_) surroundings.environment.emplace("STRATA_EVENTS", events());
    // The second library has MPI_Pcontrol, which SMPI lacks.
    surroundings.environment["LD_PRELOAD"] =
        built("sim/profile/libstrata_profile.so") + ":" + built("mpi_ext/preload/libmpix_supply_smpi.so");
    Process process(words_of(stage, {.platform = built("sim/plugin/libstrata_platform.so"),
                                     .hosts = "hosts",
                                     .scratch = ".",
                                     .program = built("tests/sim/profile/profile_mpi_program.so"),
                                     .options = options,
                                     .arguments = {what}}),
                    surroundings);
    return process.wait();
  }

  std::string path() const { return folder_.path() / "profile.json"; }
  std::string events() const { return folder_.path() / "run.events"; }

  TemporaryFolder folder_;
  Ran ran_;
  bool keep_events_ = false;
};

}  // namespace strata
