// SPDX-License-Identifier: LGPL-2.1-only
// The collectives that a program calls, from its recording, as calls to time. For example, a program on 64 ranks:
//
//   1,000 times MPI_Allreduce of 8 B on MPI_COMM_WORLD          allreduce of 8 B on 64 ranks, 1,000 calls
//   10 times MPI_Bcast of 1 KiB in each of 8 rows of 8 ranks    bcast of 1024 B on 8 ranks, 80 calls
//   MPI_Gatherv, MPI_Iallreduce                                 others: no rule chooses their algorithm
//
// Files of rules know a communicator by its number of ranks. So all communicators with as many ranks are timed on the
// places of one of them, that with most calls. An operation with many sizes on as many ranks has one call for all sizes
// up to each power of two, of their mean size.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collectives/tuning/cell.h"
#include "records/trace/trace.h"

namespace strata::collectives {

/// More sizes of an operation on as many ranks are merged.
inline constexpr std::size_t kMostSizes = 32;

struct CalledCell {
  Cell cell;
  std::int64_t calls = 0;
};

struct Called {
  std::vector<CalledCell> cells;            // by operation, ranks and bytes, each once
  std::map<int, std::vector<int>> members;  // by number of ranks: the ranks of the recording that are timed, in order
  std::map<std::string, std::int64_t> others;  // calls by function: those that no rule applies to
  bool are_merged = false;                     // some sizes are means
};

/// Calls of communicators with one rank, and of 0 B, are left out: they send nothing. Sizes of reductions are rounded
/// up to whole elements (element_bytes).
Called called_of(const Trace& trace);

}  // namespace strata::collectives
