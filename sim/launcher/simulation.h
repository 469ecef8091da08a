// SPDX-License-Identifier: LGPL-2.1-only
// Runs simulations: each is one smpimain process (group) in a temporary folder of its own. Several simulations of our
// own programs are forked from one smpimain (fork_server.h).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "records/launch.h"
#include "sim/launcher/scratch.h"
#include "sim/launcher/stage.h"

namespace strata::sim {

struct Simulation {
  size_t stage = 0;                    // index of its stage
  std::vector<std::string> arguments;  // of the program
  std::filesystem::path folder = {};   // where the program runs; empty: in an empty folder of its own
  std::string shim = kShimOff;         // whether the Cartesian shim is preloaded, and its method (study.h)
  std::string mpi = {};                // whose collectives SMPI has (study.h)
  GivenRules rules = {};               // by which that library chooses algorithms
  std::filesystem::path output;      // stdout and stderr are kept in files of this name + ".out" and ".err"; empty: not
  std::filesystem::path trace = {};  // a file for the activity of each core (Paje); empty: none
  std::filesystem::path events = {};  // the same for events (records/events.h)
  std::filesystem::path record = {};  // the same for each rank's steps (records/trace/trace_file.h)
  Traffic traffic = {};               // which traffic to record, and in which existing folder
  std::filesystem::path traffic_folder = {};
};

struct Outcome {
  std::string printed;                        // the program's stdout
  std::vector<Json> lines;                    // its lines there after words::kMark, in order
  std::optional<double> simulated_time = {};  // s: when the last rank ended
  std::string failure;     // empty on success; otherwise one line: what happened, which rank waits for what
  bool bad_usage = false;  // the program refused its arguments: bad input, not a failed simulation
  double wall_s = 0;       // from the simulation's start to its end
};

/// Runs simulations on their stages, at most `jobs` at a time, each in its own process group. `done(i, outcome)` is
/// called as each ends, on the caller's thread; if it returns false, all are stopped. Throws Interrupted on SIGINT,
/// SIGTERM and SIGHUP. No child outlives the call.
void run_simulations(const std::vector<Stage>& stages, const std::vector<Simulation>& simulations, int jobs,
                     const std::function<bool(size_t, const Outcome&)>& done);

}  // namespace strata::sim
