// SPDX-License-Identifier: LGPL-2.1-only
// Computes the levels on which mappings work (groups of ranks that share an object) from each process's place in the
// tree of the machine.
//
// The levels are those of the communicator hierarchy: network levels, the node, levels inside it. Networks may be
// uneven: their levels are matched from the nodes upwards, so the switches directly above nodes form one level at any
// depth. Inside nodes, which may be of different kinds, levels are matched by name.
//
// A process whose binding spans several instances of a level is within none of them. On that level, all such processes
// in one group of the level before form a group of their own, as they may run anywhere in their binding.
//
// A level is left out if it separates no processes beyond the level before, or if every process is alone on it. The
// level of the nodes is always kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi_ext/cart/level_groups.h"
#include "platforms/topology.h"

namespace strata::mpix {

/// An object that contains a process.
struct Holder {
  std::string name;           // of its level: "Switch", "Package", ...
  std::int64_t instance = 0;  // distinguishes objects of one name; unique within the node, or the network
};

/// The place of a process: from the network's root, which contains all processes and is not listed, to the deepest
/// object that covers the process's binding.
struct Path {
  std::vector<Holder> network;  // outermost first
  std::uint64_t node = 0;       // distinguishes nodes
  std::vector<Holder> inside;   // inside the node, outermost first
};

/// The path of a process whose binding is covered by vertex `v` of a machine. O(depth).
Path path_of(const Topology& machine, int v);

/// The places of processes, by rank; at least one process. Pure; thread-safe. O(ranks x levels x log ranks).
Places places_along(const std::vector<Path>& paths);

/// The places of the first `ranks` processes of `all`; at least one. Levels that do not separate them are left out.
/// Pure; thread-safe. O(ranks x levels).
Places places_of_first(const Places& all, int ranks);

}  // namespace strata::mpix
