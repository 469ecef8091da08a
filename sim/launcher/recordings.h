// SPDX-License-Identifier: LGPL-2.1-only
// The recordings of a scenario with `engine: replay`: one for each input of its program.
//
//   results/recordings/cg-5f0c6a1b3d2e4f77.mpitrace      of cg with these arguments on this many ranks
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/rank_placements.h"
#include "records/trace/trace.h"

namespace strata::sim {

/// A recording's file. Its name comes from everything that affects the steps of a program's ranks: its arguments, the
/// Cartesian shim, the collectives with the text of their rules, and the numbers of ranks and progress threads. If the
/// folder only has the file NAME.strace, as earlier versions called it, this one.
std::filesystem::path recording_file(const std::filesystem::path& folder, const std::string& program,
                                     const std::vector<std::string>& arguments, const std::string& shim,
                                     const std::string& mpi, const std::string& rules, const RankPlacement& placement);

/// The machine of a recording.
struct RecordedOn {
  std::string name;
  std::string hash;  // machine_hash(); empty: unknown, for those of older versions
};

/// The machine of the recording in this file, if it is one of a program with this hash (program_hash); nothing for
/// other files and damaged ones.
std::optional<RecordedOn> recording_of(const std::filesystem::path& file, const std::string& program);

/// Replays recordings. Keeps the last one in memory, since successive points often share it.
class Replays {
 public:
  /// s. Throws InputError, as read_trace and replay().
  double simulated_time(const std::filesystem::path& recording, const Machine& machine, const RankPlacement& placement);

 private:
  std::filesystem::path file_;
  std::optional<Trace> trace_;
};

}  // namespace strata::sim
