// SPDX-License-Identifier: LGPL-2.1-only
// A small machine as a Topology, with objects of the types that hwloc would give them, for code that uses types and
// names, and for pictures.
#pragma once

#include <string>
#include <vector>

#include "check/areas/small_machines.h"
#include "platforms/topology.h"

namespace strata::check {

struct SmallTopology {
  Topology topology;
  std::vector<int> vertex;  // of the topology, by vertex of the machine
};

/// Leaves are cores; above them, from the node downwards, packages, L3s, two levels of groups, L2s and L1s. Every
/// topology has a network's root, and a node that is a leaf gets a core. `notes`, by vertex of the machine, are for
/// drawings; none where empty.
SmallTopology small_topology(const SmallMachine& machine, const std::vector<std::string>& notes = {});

}  // namespace strata::check
