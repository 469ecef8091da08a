// SPDX-License-Identifier: LGPL-2.1-only
// Machines that several tests use.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

inline const std::string kData = "tests/platforms/data/";

/// Node descriptions in tests/platforms/data, by name (see regenerate.sh there).
inline const std::vector<std::string> kNodes = {
    "32smt-2p4n16c2t",    "32knl-2n8c4t", "8nocore-2p2n",     "16groups-2g2g2p2c", "4nested-2p3n",
    "5asymmetric-2p2n5c", "4memory-2p3n", "4disallowed-2p2n", "4io-2p2n",          "8corecache-2p2c2t"};

inline std::shared_ptr<const NodeTree> test_node(const std::string& name) {
  return import_node_xml(kData + name + ".xml");
}

/// The object and all vertices below as text: "Machine(Package(Core Core) Package(Core Core))".
inline std::string shape_of(const NodeTree& tree, int object = 0) {
  std::string text = tree.objects()[object].name;
  if (tree.children(object).empty()) return text;
  text += "(";
  for (int c : tree.children(object)) text += (text.back() == '(' ? "" : " ") + shape_of(tree, c);
  return text + ")";
}

}  // namespace strata
