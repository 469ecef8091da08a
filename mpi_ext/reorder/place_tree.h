// SPDX-License-Identifier: LGPL-2.1-only
// Where the processes are: the part of the machine's tree that lies above their cores.
#pragma once

#include <vector>

#include "platforms/topology.h"

namespace strata::mpix {

/// Vertices in preorder, 0 the root; each has a process below it. Immutable once made.
struct PlaceTree {
  std::vector<int> parent;  // by vertex; -1 of the root
  std::vector<int> depth;   // in the machine's tree: levels with one child count, also those that are left out here
  std::vector<int> place;   // by old rank: the vertex it is on; several may share one
  std::vector<int> node;    // by old rank: the machine's node that it is in; kRoundRobin alone asks for it
};

/// The tree above these vertices of `topology` (a core each, or what covers a wider binding), by old rank; vertices
/// with one child and no process of their own are left out. O(vertices of the result * depth).
PlaceTree place_tree(const Topology& topology, const std::vector<int>& vertex);

/// Edges of the machine's tree between the places of two old ranks. O(depth).
int hops(const PlaceTree& tree, int a, int b);

}  // namespace strata::mpix
