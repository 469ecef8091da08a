// SPDX-License-Identifier: LGPL-2.1-only
// Names of the links of a machine, for people: the table of its traffic has a row for each.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"
#include "sim/plugin/route_tree.h"

namespace strata::sim {

struct LinkName {
  std::string link;   // what it connects upwards: "node3.core17", "node3.L3#12", "node3", "switch#5"; a router's own
  std::string level;  // whose link_bandwidth it has, as machine.yaml calls it; a fabric's kind of links; "loopback";
                      // kMemoryLevel
  std::string direction;  // "up", "down"; "across" between routers, "self" of a loopback, "both" of a memory and of
                          // what carries up and down together
  double capacity = 0;    // B/s; 0: the link does not exist
};

inline constexpr const char* kMemoryLevel = "memory";

/// By the links' numbers, as MachineZone numbers them: those of the tree, then the cores' loopbacks, then the memories
/// and, without a name, the cores' own time of a machine that has figures of its memory, then those of both ways.
std::vector<LinkName> link_names(const Machine& machine, const RouteTree& tree);

}  // namespace strata::sim
