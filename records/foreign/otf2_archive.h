// SPDX-License-Identifier: LGPL-2.1-only
// Reads OTF2 archives, as Score-P writes them (`scorep mpicc ...`, SCOREP_ENABLE_TRACING=true), as the calls of each
// rank (calls.h). A rank is a process's location in the archive's list of MPI locations; the time of other threads is
// ignored.
//
// An archive does not say whether a receive was from any source: here its source is the rank whose message it got.
// For MPI_Alltoallv it only has totals (bytes_between). The creation of a communicator becomes a barrier.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "records/foreign/recorded_calls.h"

namespace strata {

/// Whether these bytes, the first of a file, begin the anchor file of an archive (traces.otf2).
bool is_otf2(const std::string& bytes);

struct Otf2Summary {
  int ranks = 0;
  std::string creator = {};  // such as "Score-P 7.1"
  double seconds = 0;        // of the slowest rank, from the end of MPI_Init to the start of MPI_Finalize
  /// Number of calls, by MPI functions whose answer may differ on another machine.
  std::map<std::string, long> doubts = {};
  std::vector<std::string> notes = {};  // differences from the archive, one line each
};

/// Writes the calls of the archive's ranks into an empty folder. Throws InputError, also for one-sided communication
/// and inter-communicators, and OutputError. The OTF2 library may crash on a damaged archive.
Otf2Summary write_calls_of(const std::filesystem::path& anchor, const std::filesystem::path& folder);

}  // namespace strata
