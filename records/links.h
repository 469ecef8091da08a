// SPDX-License-Identifier: LGPL-2.1-only
// links.csv in a point's folder of traffic: what each link of the machine carried.
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
  std::string link;  // what it connects upwards: "node3.core17", "node3.L3#12", "node3", "switch#5"
  // The level of its costs: one of machine.yaml, a fabric's kind of links, "loopback", "memory".
  std::string level;
  std::string direction;   // "up", "down"; "across" between routers, "self" of a loopback, "both" of a memory and of a
                           // link up and a link down together (LevelCosts::duplex_bandwidth)
  double capacity = 0;     // B/s
  double bytes = 0;        // whole; with an envelope of 16 B for each message; read plus written of a memory
  long messages = 0;       // that arrived
  double utilisation = 0;  // bytes / (capacity * the simulated time in which any message was under way); of a memory,
                           // in which any was or any work was done

  bool operator==(const LinkTraffic&) const = default;
};

inline constexpr const char* kLinksFile = "links.csv";

/// The whole table. Utilisation is written with six digits, the other numbers with all of theirs.
std::string format_links(const std::vector<LinkTraffic>& links);

/// Throws InputError with file, line and remedy where the file is damaged.
std::vector<LinkTraffic> read_links(const std::filesystem::path& file);

}  // namespace strata
