// SPDX-License-Identifier: LGPL-2.1-only
// Slurm's description of a cluster's switches: topology.conf, and topology.yaml of Slurm 25.05 and later.
//
//   SwitchName=s0 Nodes=node[01-16]          - topology: default
//   SwitchName=s1 Nodes=node[17-28]            cluster_default: true
//   SwitchName=top Switches=s[0-1]             tree:
//                                                switches:
//                                                  - {switch: s0, nodes: "node[01-16]"}
//                                                  - ...
//
// In a topology/tree each switch is a group. A switch with a single switch below it is left out: nothing meets there.
// Several switches above the same ones, as administrators list the spines of a fat tree, are one. In a topology/block
// each block is a group, and successive blocks are a group of groups where BlockSizes has more than one size.
//
// The files name no cables and no speeds that Slurm knows a meaning of.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

struct SlurmTopology {
  NetworkGroup network;            // levels are called Switch, Switch 2, ... or Block, Block 2, ... from below
  std::vector<std::string> nodes;  // their names, in the order of the network
  std::vector<std::string> notes;  // about what was taken together or left out
  std::string type;                // "tree" or "block"
};

/// Reads either file; a topology.yaml begins with `-`. Among several topologies it takes the cluster's default. Throws
/// InputError with file and line: malformed, a switch or node named twice, a switch that is not there, is below two
/// different ones or below itself, switches that nothing connects, a topology of another kind.
SlurmTopology read_slurm_topology(const std::filesystem::path& file);

}  // namespace strata
