// SPDX-License-Identifier: LGPL-2.1-only
// The steps that the collectives along the tree of levels have in common (split_tree_broadcast.cc explains the
// algorithm).
#pragma once

#include "collectives/schedules/tree_levels.h"

namespace strata::collectives {

inline TreeLevels levels_of(const Collective& call, const Settings& settings, int root, int rank) {
  return call.nodes.empty() ? tree_levels(call.ranks, root, rank, settings.fanout)
                            : tree_levels_over_nodes(call.nodes, root, rank, settings.fanout);
}

/// From the parent into `data`, then from there to the children, level by level.
void down_the_tree(const TreeLevels& tree, const Range& data, Steps& steps);

}  // namespace strata::collectives
