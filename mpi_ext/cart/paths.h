// SPDX-License-Identifier: LGPL-2.1-only
// Computes the levels that mappings know (the groups of ranks that share an object) from each process's place in the
// tree of the machine.
//
// The levels are those of the communicator hierarchy: the network's, the node, what is inside it. Networks may be
// uneven: their levels are matched from the nodes upwards, so that the switch above each node is one level, with
// anything above it. Inside nodes, which may be of different kinds, they are matched by name.
//
// A process whose binding spans several instances of a level is within none. On that level, all such processes of one
// group of the level before form a group of their own, as they may run anywhere in their binding.
//
// A level that separates no processes beyond those that the level before separates, or on which every process is alone,
// is left out; except the nodes, which are always there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi_ext/cart/places.h"
#include "platforms/topology.h"

namespace strata::mpix {

/// An object that a process is within.
struct Holder {
  std::string name;           // of its level: "Switch", "Package", ...
  std::int64_t instance = 0;  // tells it from others of its name; within the node, or the network
};

/// Where a process is: from the network's root, which holds everybody and is not listed, to the deepest object that
/// covers the process's binding.
struct Path {
  std::vector<Holder> network;  // outermost first
  std::uint64_t node = 0;       // tells nodes apart
  std::vector<Holder> inside;   // of the node, outermost first
};

/// That of a process whose binding vertex `v` of a machine covers. O(depth).
Path path_of(const Topology& machine, int v);

/// The places of processes, by rank; at least one. Pure; thread-safe. O(ranks x levels x log ranks).
Places places_along(const std::vector<Path>& paths);

/// The places of the first `ranks` of those that `all` tells of: at least one. Levels that tell nothing of these are
/// left out. Pure; thread-safe. O(ranks x levels).
Places places_of_first(const Places& all, int ranks);

}  // namespace strata::mpix
