// SPDX-License-Identifier: LGPL-2.1-only
// The hierarchy of a communicator as the models derive it: the groups on which a hierarchical collective runs.
//
// RR-9077, Algorithm 4: at each level of the hierarchy an algorithm runs over the roots of the level, and each child
// does the same below. The children of a communicator are those of the deepest object that covers its members'
// bindings. A member whose binding fits in no child belongs to none and takes part among the roots. Such a group of
// roots and members without a child is a *bridge*; without children it is the communicator itself. The first member of
// a bridge is the first member of the communicator above.
#pragma once

#include <span>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata::models {

struct Hierarchy {
  int np = 0;
  /// Each in increasing order; outer ones before those of their members' children. A bridge of one rank, which a user's
  /// hierarchy may have, sends nothing.
  std::vector<std::vector<int>> bridges;
};

/// Along the topology. O(np depth^2). Throws std::invalid_argument if a binding is not on its node or there are no
/// ranks.
Hierarchy topological_hierarchy(const Topology& topology, const std::vector<Binding>& ranks);

/// As documented for MPIX_Hierarchy_create_groups (RR-9077, Section 7.4, H_conf): on level i each communicator is cut
/// into groups[i] blocks of consecutive ranks; the last level's blocks have one rank each. Throws std::invalid_argument
/// for a number below 1.
Hierarchy grouped_hierarchy(std::span<const int> groups);

}  // namespace strata::models
