// SPDX-License-Identifier: LGPL-2.1-only
// The SimGrid that explores programs: which one, and how it is started.
//
// SimGrid 3.32: Debian's package has no model checker, so tools/install-mc builds one from Debian's source package with
// the corrections in tools/simgrid-mc/, and puts it into a cache. It explores.
//
// SimGrid 4.0: Debian's package has one, whose reductions miss orders (docs/checking.md). Its application's side, which
// is in libsimgrid, is used as it is; check/messages/explorer/ explores, with corrections that are preloaded.
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

/// Makes of a command that runs a program, smpimain first, one that explores it: `reduce` or all orders, each at most
/// `depth` steps long. The statistics and what it finds are written to the file `log` in the command's folder. The
/// status that it ends with is one of those below.
void make_explore(const ModelChecker& checker, const sim::Installation& installation, bool reduce, long depth,
                  const std::string& log, sim::Command& command);

enum : int { kNothingFound = 0, kSafety = 1, kDeadlocked = 3, kCrash = 6 };

}  // namespace strata::check
