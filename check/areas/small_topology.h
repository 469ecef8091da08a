// SPDX-License-Identifier: LGPL-2.1-only
// A small machine as a Topology, with the types of objects that hwloc would give, for pictures and for code that uses
// types and names.
#pragma once

#include <string>
#include <vector>

#include "check/areas/small_machines.h"
#include "platforms/topology.h"

namespace strata::check {

struct SmallTopology {
  Topology topology;
  std::vector<int> vertex;  // by vertex of the machine: its vertex in the topology
};

/// Leaves become cores. Above them, from the node downwards, objects become packages, L3s, two levels of groups, L2s
/// and L1s. The topology always has a network root, and a node that is a leaf gets a core. `notes`, by vertex of the
/// machine, are for drawings; may be empty.
SmallTopology small_topology(const SmallMachine& machine, const std::vector<std::string>& notes = {});

}  // namespace strata::check
