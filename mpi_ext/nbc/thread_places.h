// SPDX-License-Identifier: LGPL-2.1-only
// Where progress threads run, seen from a process: its own thread's core, and how many cores of its node communicate.
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
  bool communicates = false;    // no rank runs there
  int communication_cores = 0;  // on the calling process's node: how many there are of these
  int cores = 0;                // of the node
  std::string list;             // of the PUs
};

/// `ranks` are the places of all ranks of the application, `mine` the index of the caller's, who knows `where`. Threads
/// are placed as place_progress does it, or, where they are not empty, at `threads`, by rank. A rank that is bound to
/// several cores counts as running on the first of them that no rank before it took (on the first where all are taken):
/// of unbound ranks each has a core then. Ranks of the node that may use other parts of it (cgroups) are not known.
/// Throws InputError as place_progress.
ThreadPlaces find_thread_places(const Where& where, std::span<const Place> ranks, int mine,
                                std::span<const Place> threads, const std::string& policy);

}  // namespace strata::mpix
