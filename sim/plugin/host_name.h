// The name of a core's host in SimGrid, as the plugin makes it and the launcher's hostfile uses it.
#pragma once

#include <string>

#include "platforms/topology.h"

namespace strata::sim {

/// "node3.core17": core 17 of node 3, for `core` an index into Topology::cores().
inline std::string host_name(const Topology& topology, int core) {
  const int node = topology.node(topology.cores()[core]);
  return "node" + std::to_string(node) + ".core" +
         std::to_string(core - topology.first_core(topology.node_vertex(node)));
}

}  // namespace strata::sim
