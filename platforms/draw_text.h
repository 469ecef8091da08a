// The machine as indented text, in the manner of `lstopo-no-graphics`: a line an object, objects with a single child on
// one line. What looks alike is told once: of equal neighbours ("10 x Machine") the first is shown, and a node that was
// shown is referred to.
#pragma once

#include <string>

#include "platforms/topology.h"

namespace strata {

struct TextOptions {
  bool full = false;         // show every node and switch
  std::string network = "";  // what connects the nodes, where it is no tree: beside the network's root
};

/// The tree, a line feed after each line. Inside a node it is what lstopo prints of it.
std::string draw_text(const Topology& topology, const TextOptions& options = {});

}  // namespace strata
