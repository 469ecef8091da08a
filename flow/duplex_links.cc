// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/duplex_links.h"

#include <algorithm>

namespace strata::flow {
namespace {

// B/s; 0 if the level states none.
double stated(const LevelCosts* costs) {
  return costs != nullptr && costs->duplex_bandwidth ? costs->duplex_bandwidth->si : 0;
}

// The largest duplex bandwidth among the levels of the fabric, into which a node's injection leads; B/s.
double widest_in_fabric(const Machine& machine, const RouteTree& tree) {
  double widest = 0;
  for (const RouteTree::Stop& s : tree.stops()) {
    if (s.costs != nullptr && machine.is_in_fabric(s.vertex)) widest = std::max(widest, stated(s.costs));
  }
  return widest;
}

bool leads_into_fabric(const Machine& machine, const RouteTree& tree, const RouteTree::Stop& stop) {
  return stop.up >= 0 && machine.is_in_fabric(tree.stops()[stop.up].vertex);
}

}  // namespace

std::vector<double> duplex_capacities(const Machine& machine, const RouteTree& tree) {
  const double widest = widest_in_fabric(machine, tree);
  std::vector<double> capacities;
  for (const RouteTree::Stop& s : tree.stops()) {
    capacities.push_back(s.link_bandwidth == 0                 ? 0
                         : leads_into_fabric(machine, tree, s) ? widest
                                                               : stated(tree.stops()[s.up].costs));
  }
  return capacities;
}

DuplexLinks::DuplexLinks(const Machine& machine, const RouteTree& tree, Flows& flows) : tree_(tree) {
  const std::vector<double> capacities = duplex_capacities(machine, tree);
  if (std::all_of(capacities.begin(), capacities.end(), [](double c) { return c == 0; })) return;
  const double widest = widest_in_fabric(machine, tree);
  for (size_t i = 0; i < capacities.size(); ++i) {
    const RouteTree::Stop& s = tree.stops()[i];
    link_.push_back(capacities[i] == 0 ? -1 : flows.add_link(capacities[i]));
    injection_.push_back(leads_into_fabric(machine, tree, s));
    in_fabric_.push_back(stated(s.costs) == 0 ? 0 : widest / stated(s.costs));
  }
}

void DuplexLinks::add_uses(int meet, std::vector<FairShares::Use>& uses) const {
  if (link_.empty()) return;
  const auto links = static_cast<int>(uses.size());
  const auto add = [&](const FairShares::Use& use, bool up) {
    if (use.link >= tree_.first_port_link() || (use.link % 2 == 0) != up) return;
    const int s = use.link / 2;
    const double weight = injection_[s] ? in_fabric_[meet] : 1;
    if (link_[s] >= 0 && weight > 0) uses.push_back({link_[s], weight * use.weight});
  };
  // From the sender up, then from the receiver up.
  for (int i = 0; i < links; ++i) add(FairShares::Use(uses[i]), true);
  for (int i = links - 1; i >= 0; --i) add(FairShares::Use(uses[i]), false);
}

}  // namespace strata::flow
