// SPDX-License-Identifier: LGPL-2.1-only
// InfiniBand fabrics as ibnetdiscover (infiniband-diags) prints them:
//
//   Switch  36 "S-0002c90200404500"      # "leaf1" base port 0 lid 2 lmc 0
//   [1]     "H-0002c9030006e160"[1](2c9030006e161)         # "node01 HCA-1" lid 5 4xEDR
//   [19]    "S-0002c90200404600"[3]      # "spine1" lid 9 4xEDR
//
//   Ca      1 "H-0002c9030006e160"       # "node01 HCA-1"
//   [1](2c9030006e161)      "S-0002c90200404500"[1]        # lid 5 lmc 0 "leaf1" lid 2 4xEDR
//
// Hosts. A channel adapter's description begins with the name of its host, as rdma-ndd writes it: "node01 HCA-1" and
// "node01 mlx5_0" are adapters of node01. Those that the card's vendor wrote ("MT4119 ConnectX5 ...") name no host:
// the adapter's identifier does. Aggregation nodes, which are inside switches, are left out.
//
// Rails. A machine's node has one port. Where the switches are several fabrics (planes), the one with the most hosts is
// used. Where a host has several ports on it, the first one is: of the adapter whose description comes first, the
// lowest. Both are noted.
//
// Routes. A host's number as a target is its place among all hosts of the fabric, by switch and by port, whichever
// hosts the machine has: subnet managers route for all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platforms/switch_graph.h"

namespace strata {

struct DiscoveredFabric {
  SwitchGraph graph;               // kinds are width and speed: "4xEDR"
  std::string injection;           // the kind of the slowest link of a host
  std::vector<std::string> notes;  // about what was decided
};

/// `hosts`, where it is not empty, is a file with the hosts that are the machine's nodes, lines of names or lists of
/// names (hostlist.h), in their order; otherwise nodes are all hosts, in the order of their names. Throws InputError
/// with file and line: another program's file, a cut one, an identifier twice, a link that only one end knows, a host
/// on no switch, hosts of one name, a host that is not there, hosts that no switches connect.
DiscoveredFabric read_ibnetdiscover(const std::filesystem::path& file, const std::filesystem::path& hosts);

/// A width and speed of InfiniBand: what a link carries each way.
struct InfiniBandRate {
  double gigabits_per_s;
  std::string derivation;  // "4 lanes of 25.78125 Gb/s, 64b/66b"
};

/// The rate of "4xEDR"; nothing where it is none. Nominal: before the headers of packets.
std::optional<InfiniBandRate> infiniband_rate(const std::string& kind);

}  // namespace strata
