// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/fabric_network.h"

#include <stdexcept>

#include "platforms/fabric.h"
#include "platforms/fabric_form.h"

namespace strata {
namespace {

// For shapes in which all routers have equally many nodes.
struct NodesPerRouter {
  template <class Shape>
  int operator()(const Shape& s) const {
    return s.nodes_per_router;
  }
  int operator()(const SwitchesShape&) const { throw std::logic_error("switches have nodes of their own"); }
};

}  // namespace

double FabricNetwork::bandwidth(int link) const { return links[fabric->kind(link)].si; }

const FabricForm& FabricNetwork::form() const { return *fabric_forms()[shape.index()]; }

int FabricNetwork::router_of(int node) const {
  if (const auto* s = std::get_if<SwitchesShape>(&shape)) return s->network.graph().nodes[node].at;
  return node / std::visit(NodesPerRouter(), shape);
}

int FabricNetwork::seat_of(int node) const {
  if (const auto* s = std::get_if<SwitchesShape>(&shape)) return s->network.graph().nodes[node].target;
  return node % std::visit(NodesPerRouter(), shape);
}

std::string FabricNetwork::file_text() const {
  const auto* s = std::get_if<SwitchesShape>(&shape);
  return s == nullptr ? "" : format_switch_graph(s->network.graph());
}

std::string FabricNetwork::figure_name(int kind) const {
  const bool by_kind = form().links == FabricForm::Links::kByKind;
  return std::string(form().key) + (by_kind ? "." : ".links.") + fabric->kinds()[kind];
}

std::string FabricNetwork::describe() const {
  std::string text = std::visit([](const auto& s) { return strata::describe(s); }, shape);
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
