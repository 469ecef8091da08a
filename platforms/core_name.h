// SPDX-License-Identifier: LGPL-2.1-only
// The name of a core: "node3.core17". The platform plugin gives SimGrid's hosts these names, the launcher lists them in
// SMPI's hostfile, and the tables of traffic and timelines show them.
#pragma once

#include <string>

#include "platforms/topology.h"

namespace strata {

/// The name of a core, given as an index into Topology::cores(): its node, and its number on the node.
inline std::string core_name(const Topology& topology, int core) {
  const int node = topology.node(topology.cores()[core]);
  return "node" + std::to_string(node) + ".core" +
         std::to_string(core - topology.first_core(topology.node_vertex(node)));
}

}  // namespace strata
