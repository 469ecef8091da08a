// SPDX-License-Identifier: LGPL-2.1-only
// Where the calling process runs: the one thing that the hierarchy must know of the machine.
//
// Three providers. *Virtual*: STRATA_PLACEMENT names a placement file, the process is a rank of it, and the tree is the
// whole machine. *Live*: hwloc's view of this node and the process's binding right now; other nodes are known by name
// only, under one switch. *Simulated*: under SMPI on a platform of the user's, a host is a node of which no more than
// its name is known, under one switch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata::mpix {

/// A place in a tree. `node_key` tells nodes apart. Two places with the same node key and tree are vertices of the same
/// tree. With the same key and different trees they are on one node of which the two processes may use different parts
/// (cgroups), and nothing more is known; with different keys they are on different nodes.
struct Place {
  std::uint64_t node_key = 0;
  std::uint64_t tree = 0;
  std::int64_t vertex = 0;  // the deepest vertex that covers the process's binding
};

/// What a placement file says of all processes. Processes with the same `hash` know the same, but for chance in 2^64.
struct World {
  std::shared_ptr<const Topology> topology;
  std::vector<int> vertex;  // by rank in MPI_COMM_WORLD
  std::uint64_t hash = 0;   // of all that it says; not 0
  int application = 0;      // of these the first so many run the application, as many progress threads follow; 0: none
};

struct Where {
  std::shared_ptr<const Topology> topology;
  Place place;
  std::shared_ptr<const World> world;  // null where only this process's place is known
};

/// The calling process's place; `world_rank` is its rank in MPI_COMM_WORLD, `simulated_host` as in adapter/host.h. The
/// topology is loaded once a process. Throws InputError where the placement file is wrong or does not know the rank.
/// Thread-safe.
Where where_am_i(int world_rank, const std::string& simulated_host = "");

/// Binds the calling thread to PUs of the node that it really runs on; whether the system lets it. Thread-safe.
bool bind_this_thread(const Cpuset& cpuset);

/// FNV-1a of `text`, going on from `hash`: what processes compare instead of the text.
std::uint64_t hash_of(const std::string& text, std::uint64_t hash = 0xcbf29ce484222325ULL);

}  // namespace strata::mpix
