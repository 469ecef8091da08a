// SPDX-License-Identifier: LGPL-2.1-only
// The places of the processes: the part of the machine's tree above their cores.
#pragma once

#include <vector>

#include "platforms/topology.h"

namespace strata::mpix {

/// Vertices in preorder, 0 the root; each has a process below it. Immutable once made.
struct PlaceTree {
  std::vector<int> parent;  // by vertex; -1 of the root
  std::vector<int> depth;   // in the machine's tree, counting levels with one child, which are left out here
  std::vector<int> place;   // by old rank: its vertex; several ranks may share one
  std::vector<int> node;    // by old rank: its node of the machine; only kRoundRobin needs it
};

/// The tree above these vertices of `topology` (a core each, or the vertex that covers a wider binding), indexed by old
/// rank. Vertices with one child and no process of their own are left out. O(vertices of the result * depth).
PlaceTree place_tree(const Topology& topology, const std::vector<int>& vertex);

/// Edges of the machine's tree between the places of two old ranks. O(depth).
int hops(const PlaceTree& tree, int a, int b);

}  // namespace strata::mpix
