// SPDX-License-Identifier: LGPL-2.1-only
// The levels of the machine as groups of ranks that share an object. Mappings use only these.
#pragma once

#include <string>
#include <vector>

namespace strata::mpix {

/// A level of the machine: the instance of each rank.
struct PlaceLevel {
  std::string name;        // "Switch", "Machine" (a node), "Package", ...
  std::vector<int> group;  // by old rank; numbered from 0 in the order of their first members
};

/// Each level refines the one before: ranks in one group are also in the same groups of all outer levels.
struct Places {
  std::vector<PlaceLevel> levels;  // outermost first; always includes the nodes, even if there is only one
  int node_level = 0;              // the index of the nodes' level

  const std::vector<int>& nodes() const { return levels[node_level].group; }
};

/// The sizes of a level's groups, in their order. O(ranks).
std::vector<int> group_sizes(const std::vector<int>& group);

/// The places of ranks that fill nodes in order, node_sizes[i] ranks on node i: one level, "Machine".
Places packed_places(const std::vector<int>& node_sizes);

}  // namespace strata::mpix
