// SPDX-License-Identifier: LGPL-2.1-only
// links.csv in a point's traffic folder: the traffic on each link of the machine.
//
//   link,level,direction,capacity_bytes_per_s,bytes,messages,utilisation
//   node0.core0,Package,up,1000000000,500,2,0.25
//   node0,System - Cluster,up,2000000000,3000,3,0.75
//   "x+ link of router (0,1)",x,across,4000000000,1000000,10,0.5
//   node3.core17,loopback,self,8000000000,64,1,0.008
//   "memory of node 3, NUMANode 1",memory,both,17600000000,1000000,1,0.3
//   node0,System - Cluster,both,3000000000,4500,5,0.75
//
// The platform plugin writes it at the end of a simulation; reports read it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata {

struct LinkTraffic {
  std::string link;  // named by its lower end: "node3.core17", "node3.L3#12", "node3", "switch#5"
  // The level of its costs: a level of machine.yaml, a fabric's kind of links, "loopback", "memory", "cache",
  // kPortLevel.
  std::string level;
  std::string direction;   // "up", "down"; "across" between routers, "self" for a loopback, "both" for a memory, and
                           // for both directions of a link together (LevelCosts::duplex_bandwidth)
  double capacity = 0;     // B/s
  double bytes = 0;        // whole; includes an envelope of 16 B for each message; for a memory: read plus written
  long messages = 0;       // messages that arrived
  double utilisation = 0;  // bytes / (capacity * the simulated time during which any message was in flight); for a
                           // memory, during which any message or work was in progress

  bool operator==(const LinkTraffic&) const = default;
};

/// The level of the links of ports ("port 1 of node 3"), as their figures are called in machine.yaml.
inline constexpr const char* kPortLevel = "ports";

inline constexpr const char* kLinksFile = "links.csv";

/// The whole table. Utilisation has six digits, the other numbers all their digits.
std::string format_links(const std::vector<LinkTraffic>& links);

/// Throws InputError with file, line and remedy if the file is damaged.
std::vector<LinkTraffic> read_links(const std::filesystem::path& file);

}  // namespace strata
