// SPDX-License-Identifier: LGPL-2.1-only
// Archives of OTF2, as Score-P writes them (`scorep mpicc ...`, SCOREP_ENABLE_TRACING=true), as the calls of each rank
// (calls.h). A rank is a process's location in the archive's list of MPI locations; other threads' time is not looked
// at.
//
// An archive does not tell whether a receive was from any source: here it is from the rank whose message it got. It has
// only totals of MPI_Alltoallv (bytes_between). Where a communicator was made there is a barrier.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "records/foreign/calls.h"

namespace strata {

/// Whether these bytes, the first of a file, are those of an archive's anchor (traces.otf2).
bool is_otf2(const std::string& bytes);

struct Otf2Summary {
  int ranks = 0;
  std::string creator = {};  // such as "Score-P 7.1"
  double seconds = 0;        // of the slowest rank, from the end of MPI_Init to the start of MPI_Finalize
  /// Functions of MPI whose answer may be another elsewhere, and how often they are called.
  std::map<std::string, long> doubts = {};
  std::vector<std::string> notes = {};  // what is not as in the archive, a line each
};

/// Writes the calls of `anchor`'s ranks into an empty folder. Throws InputError for one-sided communication and
/// inter-communicators too, OutputError. The library of OTF2 may crash on a damaged archive.
Otf2Summary write_calls_of(const std::filesystem::path& anchor, const std::filesystem::path& folder);

}  // namespace strata
