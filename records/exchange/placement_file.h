// SPDX-License-Identifier: LGPL-2.1-only
// The placement file: a described machine and the ranks' bindings, for processes that should see that machine instead
// of the one on which they run. It has three or four lines. `#` starts a comment at the start of a line or after a
// blank:
//
//   node-xml /path/node.xml            or: node-synthetic pack:2 numa:2 core:6; if nodes differ, a line
//                                      for each run of equal nodes: node-kind 4 xml /path/node-1.xml,
//                                      node-kind 2 synthetic core:6
//   network 10                         or: network (Switch 12) (Switch 6) (Pod%202 (Switch 4) (Switch 2))
//   bindings /path/bindings.txt        one line for each rank: rank node cpuset (see platforms/placement.h)
//   application 32                     if the second half of the ranks are the progress threads of the first (SMPI)
//
// In names of levels, blanks, parentheses, `#`, `%` and control characters are written as %XX: "Pod 2" above.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

struct PlacementFile {
  std::shared_ptr<const Topology> topology;
  std::vector<int> vertex;  // by rank of MPI_COMM_WORLD: the deepest vertex that covers its binding
  int application = 0;      // number of application ranks, if as many progress threads follow; 0 without these
};

/// Throws InputError with file and line.
PlacementFile read_placement_file(const std::filesystem::path& file);

/// Successive nodes with the same inside: an XML file, or a synthetic description if `xml` is empty.
struct PlacedNodes {
  int count;
  std::filesystem::path xml;
  std::string synthetic;
};

/// The text of a placement file for nodes that differ.
std::string format_placement_file(const std::vector<PlacedNodes>& nodes, const NetworkGroup& network,
                                  const std::filesystem::path& bindings, int application = 0);

/// The text of a placement file. `synthetic` is used if `xml` is empty. `application` as above; 0 writes no line.
std::string format_placement_file(const std::filesystem::path& xml, const std::string& synthetic,
                                  const NetworkGroup& network, const std::filesystem::path& bindings,
                                  int application = 0);

}  // namespace strata
