// SPDX-License-Identifier: LGPL-2.1-only
// The places of progress threads, as seen by a process: its own thread's core, and the communication cores of its node.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "mpi_ext/provider/provider.h"
#include "platforms/cpuset.h"

namespace strata::mpix {

struct ThreadPlaces {
  Cpuset cpuset;                // of the calling process's thread: the core's PUs
  int core = -1;                // vertex of the node's tree
  bool communicates = false;    // no rank runs on this core
  int communication_cores = 0;  // the number of such cores on the calling process's node
  int cores = 0;                // the number of all cores of the node
  std::string list;             // of the PUs
};

/// `ranks` are the places of all ranks of the application, `mine` is the caller's index, and `where` its place. Threads
/// are placed as by place_progress or, if `threads` is not empty, at `threads`, by rank. A rank that is bound to
/// several cores counts as running on the first of them that no earlier rank has taken (on the first if all are taken),
/// so that each unbound rank has a core. Ranks that may use only other parts of the node (cgroups) are unknown here.
/// Throws InputError as place_progress.
ThreadPlaces find_thread_places(const Where& where, std::span<const Place> ranks, int mine,
                                std::span<const Place> threads, const std::string& policy);

}  // namespace strata::mpix
