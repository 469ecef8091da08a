// SPDX-License-Identifier: LGPL-2.1-only
// The levels of the machine as groups of ranks that share an object. Mappings know nothing else of a machine.
#pragma once

#include <string>
#include <vector>

namespace strata::mpix {

/// A level of the machine: which instance of it each rank is on.
struct PlaceLevel {
  std::string name;        // "Switch", "Machine" (a node), "Package", ...
  std::vector<int> group;  // by old rank; numbered from 0 in the order of their first members
};

/// Each level refines the one before: ranks of one group share the groups of all levels further out.
struct Places {
  std::vector<PlaceLevel> levels;  // outermost first; always with the nodes, also where there is only one
  int node_level = 0;              // which of them are the nodes

  const std::vector<int>& nodes() const { return levels[node_level].group; }
};

/// The sizes of a level's groups, in their order. O(ranks).
std::vector<int> group_sizes(const std::vector<int>& group);

/// Ranks that fill nodes in order, as many on each as `node_sizes` says: one level, "Machine".
Places packed_places(const std::vector<int>& node_sizes);

}  // namespace strata::mpix
