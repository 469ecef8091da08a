// SPDX-License-Identifier: LGPL-2.1-only
// The hierarchy of a communicator as the models derive it: the groups that a hierarchical collective runs on.
//
// RR-9077, Algorithm 4: at each level of the hierarchy an algorithm runs over the roots of the level, and each child
// does the same below. The children of a communicator are those of the deepest object that covers its members'
// bindings; a member whose binding fits in no child belongs to none and takes part among the roots. Such a group of
// roots and members without a child is a *bridge*; where there are no children it is the communicator itself. The first
// of a bridge's members is the first of the communicator above.
#pragma once

#include <span>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata::models {

struct Hierarchy {
  int np = 0;
  /// In increasing order each; outer ones before those of the children of their members. On a bridge of one rank, which
  /// a user's hierarchy may have, nothing is sent.
  std::vector<std::vector<int>> bridges;
};

/// Along the topology. O(np depth^2). Throws std::invalid_argument where a binding is not on its node or there are no
/// ranks.
Hierarchy topological_hierarchy(const Topology& topology, const std::vector<Binding>& ranks);

/// As MPIX_Hierarchy_create_groups documents it (RR-9077, Section 7.4, H_conf): on level i each communicator is cut
/// into groups[i] blocks of consecutive ranks; the last level's are of one rank. Throws std::invalid_argument on a
/// number below 1.
Hierarchy grouped_hierarchy(std::span<const int> groups);

}  // namespace strata::models
