// A small machine as the Topology that the rest of Strata knows.
#pragma once

#include <memory>
#include <vector>

#include "models/check/small_machines.h"
#include "platforms/topology.h"

namespace strata::check {

struct SmallTopology {
  std::shared_ptr<const Topology> topology;
  std::vector<int> vertex;  // in it, by vertex of the machine
};

/// Leaves are cores of one PU, objects between are groups. What a Topology must have is added: a root of the network
/// where the machine is one node, and a core to a node of which no more is known. Below a switch those children that
/// are switches must come before those that are nodes: throws std::invalid_argument where they do not.
SmallTopology small_topology(const SmallMachine& machine);

}  // namespace strata::check
