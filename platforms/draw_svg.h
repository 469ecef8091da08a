// SPDX-License-Identifier: LGPL-2.1-only
// Draws the machine as an SVG, similar to lstopo: nested boxes in its colours, NUMA nodes and caches as bars above
// their contents, cores with their PUs. Network levels are frames with the switch's bar above its nodes. Of several
// nodes that look alike, the first is drawn in full, and the others are small boxes with its name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

/// A complete SVG document. `network` describes the network if it is not a tree. `memory` is the bandwidth of the
/// memory of each NUMA node, or of a node without any ("17.6 GB/s"), `cache` what cores get together from their
/// outermost cache, and `ports` are port_labels. The same input gives the same bytes.
std::string draw_svg(const Topology& topology, const std::string& network = "", const std::string& memory = "",
                     const std::vector<std::string>& names = {}, const std::string& cache = "",
                     const std::map<int, std::string>& ports = {});

}  // namespace strata
