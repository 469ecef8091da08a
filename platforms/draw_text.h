// SPDX-License-Identifier: LGPL-2.1-only
// Prints the machine as indented text, similar to `lstopo-no-graphics`: one line per object, objects with a single
// child on one line. Equal neighbours are printed once ("10 x Machine"), and a node that was printed before is referred
// to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

struct TextOptions {
  bool full = false;         // show every node and switch
  std::string network = {};  // description of a network that is not a tree, printed beside the network's root
  std::string memory = {};   // bandwidth of the memory of each NUMA node, or of a node without any: "17.6 GB/s"
  std::string cache = {};    // bandwidth that cores get together from their outermost cache
  std::vector<std::string> names = {};    // of the nodes, printed beside their numbers; empty if they have none
  std::map<int, std::string> ports = {};  // port_labels, printed beside the objects
};

/// The tree, with a line feed after each line. The inside of a node is printed as by lstopo.
std::string draw_text(const Topology& topology, const TextOptions& options = {});

}  // namespace strata
