// SPDX-License-Identifier: LGPL-2.1-only
// Reads Slurm's description of a cluster's switches: topology.conf, or topology.yaml of Slurm 25.05 and later.
//
//   SwitchName=s0 Nodes=node[01-16]          - topology: default
//   SwitchName=s1 Nodes=node[17-28]            cluster_default: true
//   SwitchName=top Switches=s[0-1]             tree:
//                                                switches:
//                                                  - {switch: s0, nodes: "node[01-16]"}
//                                                  - ...
//
// In a topology/tree each switch is a group. A switch with a single switch below it is left out, because no paths meet
// there. Several switches above the same ones, as administrators list the spines of a fat tree, become one. Sites also
// list several trees that no switch connects, between which Slurm does not place a job: the one with the most nodes is
// the machine, and notes report the others. In a topology/block each block is a group, and successive blocks form a
// group of groups if BlockSizes has more than one size.
//
// The files contain neither cables nor speeds with a meaning that Slurm defines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

struct SlurmTopology {
  NetworkGroup network;            // levels are named Switch, Switch 2, ... or Block, Block 2, ... from below
  std::vector<std::string> nodes;  // node names, in the order of the network
  std::vector<std::string> notes;  // about parts that were merged or left out
  std::string type;                // "tree" or "block"
};

/// Reads either file; a topology.yaml begins with `-`. Among several topologies it takes the cluster's default. Throws
/// InputError with file and line: malformed, a switch or node named twice, a switch that does not exist, is below two
/// different ones or below itself, a topology of another kind.
SlurmTopology read_slurm_topology(const std::filesystem::path& file);

}  // namespace strata
