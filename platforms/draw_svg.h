// SPDX-License-Identifier: LGPL-2.1-only
// The machine as an SVG in the manner of lstopo: nested boxes in its colours, NUMA nodes and caches as bars above what
// they hold, cores with their PUs. Network levels are frames with the switch's bar above its nodes. Of the nodes that
// look alike the first is drawn in full, the others are small boxes that name it.
#pragma once

#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

/// A whole SVG document; `network` says what connects the nodes if it is not a tree, `memory` what the memory of each
/// NUMA node, or of a node without any, carries ("17.6 GB/s"). The same input gives the same bytes.
std::string draw_svg(const Topology& topology, const std::string& network = "", const std::string& memory = "",
                     const std::vector<std::string>& names = {});

}  // namespace strata
