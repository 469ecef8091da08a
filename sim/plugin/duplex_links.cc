// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/duplex_links.h"

#include <algorithm>

namespace strata::sim {

DuplexLinks::DuplexLinks(const Machine& machine, const RouteTree& tree, FlowModel& flows) : tree_(tree) {
  const auto stated = [](const LevelCosts* costs) {
    return costs != nullptr && costs->duplex_bandwidth ? costs->duplex_bandwidth->si : 0.0;
  };
  const auto& stops = tree.stops();
  double widest = 0;  // of the fabric's levels
  bool any = false;
  for (const RouteTree::Stop& s : stops) {
    any = any || stated(s.costs) > 0;
    if (s.costs != nullptr && machine.is_in_fabric(s.vertex)) widest = std::max(widest, stated(s.costs));
  }
  if (!any) return;
  for (const RouteTree::Stop& s : stops) {
    const bool into_fabric = s.up >= 0 && machine.is_in_fabric(stops[s.up].vertex);
    const double capacity = s.link_bandwidth == 0 ? 0 : into_fabric ? widest : stated(stops[s.up].costs);
    link_.push_back(capacity == 0 ? -1 : flows.add_link(capacity));
    injection_.push_back(into_fabric);
    in_fabric_.push_back(stated(s.costs) == 0 ? 0 : widest / stated(s.costs));
  }
}

void DuplexLinks::add_uses(int a, int b, int meet, std::vector<FairShares::Use>& uses) const {
  if (link_.empty()) return;
  for (const int core : {a, b}) {
    for (int s = core; s != meet; s = tree_.stops()[s].up) {
      const double weight = injection_[s] ? in_fabric_[meet] : 1;
      if (link_[s] >= 0 && weight > 0) uses.push_back({link_[s], weight});
    }
  }
}

}  // namespace strata::sim
