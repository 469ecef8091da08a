// SPDX-License-Identifier: LGPL-2.1-only
// Names of the links of a machine, for the table of its traffic, which has a row for each.
#pragma once

#include <string>
#include <vector>

#include "flow/route_tree.h"
#include "platforms/machine.h"

namespace strata::flow {

struct LinkName {
  std::string link;   // what it connects upwards: "node3.core17", "node3.L3#12", "node3", "switch#5"; a router's own;
                      // "port 1 of node 3"
  std::string level;  // whose link_bandwidth it has, as machine.yaml calls it; a fabric's kind of links; "loopback";
                      // kMemoryLevel, kCacheLevel, kPortLevel
  std::string direction;  // "up", "down"; "across" between routers, "self" of a loopback, "both" of a memory, of a
                          // cache, and of what carries up and down together
  double capacity = 0;    // B/s; 0: the link does not exist
};

inline constexpr const char* kMemoryLevel = "memory";
inline constexpr const char* kCacheLevel = "cache";  // outermost caches, what the cores below one of them share

/// Indexed like the links of Paths. The links of cores' time have no name.
std::vector<LinkName> link_names(const Machine& machine, const RouteTree& tree);

}  // namespace strata::flow
