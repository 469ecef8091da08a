// SPDX-License-Identifier: LGPL-2.1-only
// Places for ranks that a program starts later, beside those that it has: the mapping goes on. For example, with two
// ranks on nodes of four cores:
//
//   further_places(topology, place(topology, 2, by_node), by_node, 3)   the second cores of nodes 0 and 1, the third of
//   0
//
// If the ranks are where no option says it (a file gives their places), the first free cores follow, node after node.
#pragma once

#include <vector>

#include "platforms/placement.h"

namespace strata {

/// At most `count` places, fewer if the machine has fewer free cores. With options.oversubscribe, always `count`.
std::vector<Binding> further_places(const Topology& topology, const std::vector<Binding>& ranks,
                                    const PlacementOptions& options, int count);

}  // namespace strata
