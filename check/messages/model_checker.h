// SPDX-License-Identifier: LGPL-2.1-only
// The SimGrid that explores programs: which one, and how it is started.
//
// SimGrid's side of the checker is in libsimgrid: it takes the steps. check/messages/explorer/ decides which, in the
// place of SimGrid's simgrid-mc, whose reductions miss orders (docs/checking.md).
//
// SimGrid 3.32: Debian's package has no model checker, so tools/install-mc builds one from Debian's source package with
// the corrections in tools/simgrid-mc/, and puts it into a cache.
//
// SimGrid 4.0: Debian's package has one. It is used as it is, with corrections that are preloaded.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/launcher/child.h"
#include "sim/launcher/installation.h"

namespace strata::check {

struct ModelChecker {
  std::filesystem::path folder;  // holds smpimain; of 3.32 simgrid-mc and libsimgrid too
  bool systems = false;          // libsimgrid is found without a path

  std::filesystem::path main() const { return folder / "smpimain"; }
};

/// The one in the folder ${STRATA_SIMGRID_MC}, else the one that --install-mc has put into the cache (${STRATA_CACHE},
/// or strata in ${XDG_CACHE_HOME} or ${HOME}/.cache) or, with SimGrid 4.0, the system's; nothing if it is not
/// installed. Throws InputError if STRATA_SIMGRID_MC names a folder without it, if no variable says where the cache is,
/// and if libsimgrid is not of the version that this was compiled with.
std::optional<ModelChecker> find_model_checker();

/// The same, or InputError that says how to get it.
ModelChecker need_model_checker();

/// Libraries to preload into an explored or replayed program.
std::vector<std::filesystem::path> corrections_of(const sim::Installation& installation);

/// Options of SimGrid for an explored or replayed program.
std::vector<std::string> program_options();

/// Options of SimGrid by which a replay logs what read_replay() reads (replay_log.h).
std::vector<std::string> replay_log_options();

/// Marks the part of a log line that Strata reads. No blanks: SimGrid splits its options at them.
inline constexpr const char* kLogMark = "@log|";

struct ExplorerOptions {
  bool reduce = true;  // or all orders
  long depth = 0;      // the most steps of an execution
  int jobs = 1;        // executions at a time
  int shard = 0;       // as Exploration has it
  int shards = 0;
  std::string log;  // a file in the command's folder, for the statistics and the path to a violation
};

/// Makes of a command that runs a program, smpimain first, one that explores it. The status that it ends with is one of
/// those below.
void make_explore(const sim::Installation& installation, const ExplorerOptions& options, sim::Command& command);

enum : int { kNothingFound = 0, kDeadlocked = 3, kCrash = 6 };

}  // namespace strata::check
