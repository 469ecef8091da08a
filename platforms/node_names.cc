// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/node_names.h"

#include <variant>

#include "platforms/hostlist.h"

namespace strata {

std::vector<std::string> node_names(const Machine& machine) {
  std::vector<std::string> names;
  for (const NodesOfAKind& kind : machine.kinds) {
    if (kind.names.empty()) continue;
    const std::vector<std::string> more = expand_hostlist(kind.names, "names of nodes");
    names.insert(names.end(), more.begin(), more.end());
  }
  if (!names.empty() || !machine.fabric) return names;
  if (const auto* switches = std::get_if<SwitchesShape>(&machine.fabric->shape)) {
    for (const SwitchGraph::Node& node : switches->network.graph().nodes) names.push_back(node.name);
  }
  return names;
}

}  // namespace strata
