// SPDX-License-Identifier: LGPL-2.1-only
// Runs a user's program once, unchanged: in the user's folder, with the user's environment, stdin, stdout and stderr.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/placement.h"
#include "records/exchange/finding.h"
#include "records/levels.h"
#include "records/links.h"
#include "records/profile.h"
#include "sim/launcher/runner.h"
#include "sim/launcher/stage.h"

namespace strata::sim {

/// How a program ended, and the simulator's files in the stage's folder.
struct Executed {
  int exit_code = 0;         // the program's own
  bool crashed = false;      // whether the simulation failed otherwise than by a deadlock or the time limit
  std::string ending = {};   // if some rank ended early: one line, such as "rank 1 called MPI_Abort with 7"
  std::string failure = {};  // if the simulation failed: one line; exit_code is then meaningless
  Profile profile = {};      // empty if a failure prevented it
  std::vector<LevelMessages> levels = {};
  std::vector<LinkTraffic> links = {};
  std::vector<Binding> spawned = {};   // where further ranks are, that the program itself has started
  std::filesystem::path traffic = {};  // the folder: matrices, links.csv, levels.csv
  std::filesystem::path events = {};   // the file, if requested; after a failure it may be incomplete
  std::filesystem::path trace = {};    // the same, but may be missing after a failure
  std::vector<Finding> findings = {};  // if requested, also after a failure
};

/// Runs the stage's program, profiled and with its traffic, in our process group, so that the terminal's Ctrl-C reaches
/// all of it; it does not outlive the call. A stage's folder is used for one run. The time limit is the stage's; 0
/// means no limit. Needs a SignalGuard in scope; throws Interrupted, and InputError if files of the simulator are
/// damaged.
Executed execute(const Stage& stage, Launch launch);

/// Runs the stage's program with checks of its calls, and with its output in files of the stage's folder: the mistakes
/// that they find, none if the run fails otherwise. Needs a SignalGuard in scope; throws Interrupted.
std::vector<Finding> check_once(const Stage& stage, Launch launch);

}  // namespace strata::sim
