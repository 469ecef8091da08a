// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/fabric_network.h"

namespace strata {

int FabricNetwork::nodes_per_router() const {
  return std::visit([](const auto& s) { return s.nodes_per_router; }, shape);
}

std::string FabricNetwork::figure_name(int kind) const {
  return (is_torus() ? "torus.links." : "dragonfly.") + fabric->kinds()[kind];
}

std::string FabricNetwork::describe() const {
  return std::visit([](const auto& s) { return strata::describe(s); }, shape);
}

}  // namespace strata
