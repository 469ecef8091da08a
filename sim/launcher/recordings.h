// SPDX-License-Identifier: LGPL-2.1-only
// The recordings of a scenario with `engine: replay`: one for each input of its program.
//
//   results/recordings/cg-5f0c6a1b3d2e4f77.strace      of cg with these arguments on this many ranks
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/placement.h"
#include "records/trace/trace.h"

namespace strata::sim {

/// The name of a recording's file, by what a program's ranks do other things for: its arguments, the Cartesian shim,
/// how many ranks and progress threads there are.
std::string recording_name(const std::string& program, const std::vector<std::string>& arguments,
                           const std::string& shim, const RankPlacement& placement);

/// Whether the file is a recording of a program with this hash (program_hash); a damaged file is none.
bool is_recording_of(const std::filesystem::path& file, const std::string& hash);

/// Replays recordings. Keeps the last, since points that follow one another often have it in common.
class Replays {
 public:
  /// s. Throws InputError, as read_trace and replay().
  double simulated_time(const std::filesystem::path& recording, const Machine& machine, const RankPlacement& placement);

 private:
  std::filesystem::path file_;
  std::optional<Trace> trace_;
};

}  // namespace strata::sim
