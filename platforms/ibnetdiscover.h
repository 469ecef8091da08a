// SPDX-License-Identifier: LGPL-2.1-only
// Reads InfiniBand fabrics as printed by ibnetdiscover (infiniband-diags):
//
//   Switch  36 "S-0002c90200404500"      # "leaf1" base port 0 lid 2 lmc 0
//   [1]     "H-0002c9030006e160"[1](2c9030006e161)         # "node01 HCA-1" lid 5 4xEDR
//   [19]    "S-0002c90200404600"[3]      # "spine1" lid 9 4xEDR
//
//   Ca      1 "H-0002c9030006e160"       # "node01 HCA-1"
//   [1](2c9030006e161)      "S-0002c90200404500"[1]        # lid 5 lmc 0 "leaf1" lid 2 4xEDR
//
// Hosts: a channel adapter's description begins with the name of its host if rdma-ndd has set it: "node01 HCA-1" and
// "node01 mlx5_0" are adapters of node01. Descriptions set by the card's vendor ("MT4119 ConnectX5 ...") and those of a
// host that had no name yet ("localhost HCA-1") do not name a host. Such adapters are second cards, storage, or hosts
// that were not set up. They are left out, with a note. Their name is their identifier, by which `hosts` may list them.
// If no adapter names a host, each counts as one. Aggregation nodes, which are inside switches, are left out.
//
// Sites save what the tool prints, with its messages: lines such as "ibwarn: [1234] ..." are passed over, with a note.
// So are links from a switch back to itself, such as test plugs, which no message takes.
//
// Rails: a machine's node has one port. If the switches form several fabrics (planes), the one with the most hosts is
// used. If a host has several ports on it, the first one is used: the lowest port of the adapter whose description
// comes first. Notes report both choices.
//
// Routes: a host's number as a target is its position among all hosts of the fabric, by switch and by port, even if the
// machine has only some of the hosts, because subnet managers route for all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platforms/switch_graph.h"

namespace strata {

struct DiscoveredFabric {
  SwitchGraph graph;               // kinds are width and speed: "4xEDR"
  std::string injection;           // the kind of a host's slowest link
  std::vector<std::string> notes;  // a line each: choices that were made, and what was left out
};

/// `hosts`, if not empty, is a file with the hosts that are the machine's nodes, in order, as lines of names or lists
/// of names (hostlist.h); otherwise the nodes are all hosts, ordered by name. Throws InputError with file and line:
/// output of another program, a truncated file, a duplicate identifier, a link that appears at only one end, a host
/// without a switch, two hosts with one name, a host that does not exist, hosts that no switches connect.
DiscoveredFabric read_ibnetdiscover(const std::filesystem::path& file, const std::filesystem::path& hosts);

/// The rate of an InfiniBand width and speed: what a link carries each way.
struct InfiniBandRate {
  double gigabits_per_s;
  std::string derivation;  // "4 lanes of 25.78125 Gb/s, 64b/66b"
};

/// The rate of "4xEDR"; empty if the text is not a rate. Nominal: before packet headers are deducted.
std::optional<InfiniBandRate> infiniband_rate(const std::string& kind);

}  // namespace strata
