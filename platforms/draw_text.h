// SPDX-License-Identifier: LGPL-2.1-only
// The machine as indented text, in the manner of `lstopo-no-graphics`: a line an object, objects with a single child on
// one line. Equal neighbours are shown once: the first of them ("10 x Machine") is printed, and a node that was
// shown is referred to.
#pragma once

#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

struct TextOptions {
  bool full = false;         // show every node and switch
  std::string network = {};  // what connects the nodes, if it is not a tree: beside the network's root
  std::string memory = {};   // what the memory of each NUMA node, or of a node without any, carries: "17.6 GB/s"
  std::vector<std::string> names = {};  // of the nodes, beside their numbers; empty where they have none
};

/// The tree, a line feed after each line. Inside a node it is what lstopo prints of it.
std::string draw_text(const Topology& topology, const TextOptions& options = {});

}  // namespace strata
