// SPDX-License-Identifier: LGPL-2.1-only
// One run of a user's program as it is: in the user's folder, with the user's environment, stdin, stdout and stderr.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "records/launch.h"
#include "records/levels.h"
#include "records/links.h"
#include "records/profile.h"
#include "sim/launcher/child.h"
#include "sim/launcher/simulation.h"

namespace strata::sim {

struct Execution {
  std::vector<std::string> arguments = {};  // of the program; any characters
  std::filesystem::path folder = ".";       // where it runs
  Variables environment = {};               // more variables
  std::string shim = kShimOff;              // as Simulation's
  double host_speed = 0;                    // flop/s of a core of this computer; 0: computation takes no simulated time
  std::filesystem::path input = {};         // a file for stdin instead of ours
  bool silent = false;                      // what it prints on stdout is dropped
  bool messages = false;                    // traffic: each message too
  bool events = false;                      // are kept (records/events.h)
  bool trace = false;                       // the same (records/trace/trace_file.h)
  // Actions that SMPI's replayer, the program, runs: one file of all ranks, or one for each (records/foreign/actions.h)
  std::vector<std::filesystem::path> actions = {};
  size_t most_pairs = 0;  // of ranks: beyond, the matrices of messages are not kept; 0: no limit
};

/// How a program ended, and what the simulator left in the stage's folder.
struct Executed {
  int exit_code = 0;         // the program's own
  std::string ending = {};   // where some rank ended early: one line, such as "rank 1 called MPI_Abort with 7"
  std::string failure = {};  // where the simulation failed: one line; exit_code then means nothing
  Profile profile = {};      // empty after a failure in which none could be written
  std::vector<LevelMessages> levels = {};
  std::vector<LinkTraffic> links = {};
  std::filesystem::path traffic = {};  // the folder: matrices, links.csv, levels.csv
  std::filesystem::path events = {};   // the file, where it was asked for; after a failure as far as it came
  std::filesystem::path trace = {};    // the same, but after a failure there may be none
};

/// Runs the stage's program, in our process group, so that the terminal's Ctrl-C reaches all of it; it does not outlive
/// the call. A stage's folder serves one run. The time limit is the stage's; 0 is none. Needs a SignalGuard in scope;
/// throws Interrupted, InputError where files of the simulator are damaged.
Executed execute(const Stage& stage, const Execution& execution);

}  // namespace strata::sim
