// SPDX-License-Identifier: LGPL-2.1-only
// The place of the calling process: all that the hierarchy needs to know about the machine.
//
// Three providers. *Virtual*: STRATA_PLACEMENT names a placement file, the process is a rank of it, and the tree is the
// whole machine. *Live*: hwloc's view of this node and the process's current binding; of other nodes only the names are
// known, and all are under one switch. *Simulated*: under SMPI on a platform of the user, a host is a node of which
// only the name is known, under one switch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata::mpix {

/// A place in a tree. `node_key` identifies the node. Two places with the same node key and tree are vertices of the
/// same tree. With the same key and different trees, they are on one node of which the two processes may use different
/// parts (cgroups), and their relation within the node is unknown. With different keys they are on different nodes.
struct Place {
  std::uint64_t node_key = 0;
  std::uint64_t tree = 0;
  std::int64_t vertex = 0;  // the deepest vertex that covers the process's binding
};

/// The places of all processes according to a placement file. Processes with the same `hash` have read the same file,
/// up to a chance of 2^-64.
struct World {
  std::shared_ptr<const Topology> topology;
  std::vector<int> vertex;  // by rank in MPI_COMM_WORLD
  std::uint64_t hash = 0;   // of all its contents; not 0
  int application = 0;      // number of first ranks that run the application, followed by as many progress threads; 0:
                            // no progress threads
};

struct Where {
  std::shared_ptr<const Topology> topology;
  Place place;
  std::shared_ptr<const World> world;  // null if only this process's place is known
};

/// The calling process's place. `world_rank` is its rank in MPI_COMM_WORLD; `simulated_host` is as in adapter/host.h.
/// The topology is loaded once per process. Throws InputError if the placement file is wrong or does not contain the
/// rank. Thread-safe.
Where where_am_i(int world_rank, const std::string& simulated_host = "");

/// Binds the calling thread to PUs of the node on which it really runs. Returns whether the system allows it.
/// Thread-safe.
bool bind_this_thread(const Cpuset& cpuset);

/// FNV-1a of `text`, continued from `hash`: processes compare it instead of the text.
std::uint64_t hash_of(const std::string& text, std::uint64_t hash = 0xcbf29ce484222325ULL);

}  // namespace strata::mpix
