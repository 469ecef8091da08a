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
  return type() + (type() == "dragonfly" ? "." : ".links.") + fabric->kinds()[kind];
}

std::string FabricNetwork::describe() const {
  const std::string text = std::visit([](const auto& s) { return strata::describe(s); }, shape);
  switch (routing) {
    case Routing::kMinimal:
      return text;
    case Routing::kSpread:
      return text + ", messages spread over all minimal ways";
    case Routing::kAdaptive:
      return text + ", messages spread over all minimal ways or sent around";
  }
  return text;
}

}  // namespace strata
