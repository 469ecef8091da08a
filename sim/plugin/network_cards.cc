// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/network_cards.h"

#include <algorithm>
#include <cmath>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>

#include "sim/plugin/core_of.h"

namespace strata::sim {

NetworkCards::NetworkCards(const flow::RouteTree& tree, flow::Flows& flows)
    : tree_(tree), flows_(flows), told_(tree.stops().size()) {}

std::optional<CardBytes> NetworkCards::card(const std::string& host) {
  const simgrid::s4u::Host* at = simgrid::s4u::Host::by_name_or_null(host);
  if (at == nullptr) return std::nullopt;
  const int stop = tree_.card(core_of(*at));
  if (stop < 0) return std::nullopt;
  const std::vector<double>& bytes = flows_.carried_now(simgrid::s4u::Engine::get_clock());
  // The bytes of partial messages are rounded sums. The maximum ensures that a counter never decreases.
  CardBytes& told = told_[stop];
  told.sent = std::max(told.sent, std::floor(bytes[flow::RouteTree::up_link(stop)]));
  told.received = std::max(told.received, std::floor(bytes[flow::RouteTree::down_link(stop)]));
  return told;
}

}  // namespace strata::sim
