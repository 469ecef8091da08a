// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/fabric_network.h"

#include "platforms/fabric.h"

namespace strata {

double FabricNetwork::bandwidth(int link) const { return links[fabric->kind(link)].si; }

std::string FabricNetwork::type() const {
  if (std::holds_alternative<FatTreeShape>(shape)) return "fat_tree";
  return is_torus() ? "torus" : "dragonfly";
}

int FabricNetwork::nodes_per_router() const {
  return std::visit([](const auto& s) { return s.nodes_per_router; }, shape);
}

std::string FabricNetwork::figure_name(int kind) const {
  return type() + (is_torus() ? ".links." : ".") + fabric->kinds()[kind];
}

std::string FabricNetwork::describe() const {
  return std::visit([](const auto& s) { return strata::describe(s); }, shape);
}

}  // namespace strata
