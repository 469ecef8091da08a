// SPDX-License-Identifier: LGPL-2.1-only
// Finds the SimGrid that explores programs, and determines how it is started.
//
// SimGrid's part of the checker is in libsimgrid: it executes the steps. check/messages/explorer/ decides which ones.
// It replaces SimGrid's simgrid-mc, whose reductions miss orders (docs/checking.md).
//
// SimGrid 3.32: Debian's package has no model checker, so tools/install-mc builds one from Debian's source package with
// the corrections in tools/simgrid-mc/, and installs it in a cache.
//
// SimGrid 4.0: Debian's package has one. It is used unchanged, with preloaded corrections.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/child.h"
#include "sim/launcher/installation.h"

namespace strata::check {

struct ModelChecker {
  std::filesystem::path folder;  // contains smpimain; for 3.32 also simgrid-mc and libsimgrid
  bool systems = false;          // libsimgrid is in the system's library path

  std::filesystem::path main() const { return folder / "smpimain"; }
};

/// The checker in the folder ${STRATA_SIMGRID_MC}; otherwise the one that --install-mc has installed in the cache
/// (${STRATA_CACHE}, or strata in ${XDG_CACHE_HOME} or ${HOME}/.cache); otherwise, with SimGrid 4.0, the system's. No
/// value if none is installed. Throws InputError if STRATA_SIMGRID_MC names a folder without a checker, if no variable
/// determines the cache, or if libsimgrid has a different version from the one at compile time.
std::optional<ModelChecker> find_model_checker();

/// The same, but throws InputError, with installation instructions, if none is installed.
ModelChecker need_model_checker();

/// Libraries to preload into an explored or replayed program.
std::vector<std::filesystem::path> corrections_of(const sim::Installation& installation);

/// SimGrid's options for an explored or replayed program.
std::vector<std::string> program_options();

/// SimGrid's options for the log of a replay that read_replay() reads (replay_log.h).
std::vector<std::string> replay_log_options();

/// Marks the part of a log line that Strata reads. It contains no blanks, because SimGrid splits its options at blanks.
inline constexpr const char* kLogMark = "@log|";

struct ExplorerOptions {
  bool reduce = true;  // false: explores all orders
  long depth = 0;      // maximum number of steps of an execution
  int jobs = 1;        // simultaneous executions
  int shard = 0;       // as in Exploration
  int shards = 0;
  std::string log;  // file in the command's folder for statistics and the path to a violation
};

/// Changes a command that runs a program with smpimain into one that explores it. Its exit status is one of those
/// below.
void make_explore(const sim::Installation& installation, const ExplorerOptions& options, Command& command);

enum : int { kNothingFound = 0, kDeadlocked = 3, kCrash = 6 };

}  // namespace strata::check
