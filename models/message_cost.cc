// SPDX-License-Identifier: LGPL-2.1-only
#include "models/message_cost.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "platforms/fabric.h"
#include "platforms/segments.h"

namespace strata::models {

MessageCosts::MessageCosts(const Machine& machine)
    : machine_(machine),
      costs_(machine.topology->num_vertices(), nullptr),
      link_bandwidth_(machine.topology->num_vertices(), 0),
      duplex_bandwidth_(machine.topology->num_vertices(), 0),
      combine_bandwidth_(machine.combine_bandwidth().si) {
  const Topology& t = topology();
  for (const LevelCosts& c : machine.levels) {
    if (!c.duplex_bandwidth) continue;
    has_duplex_ = true;
    if (machine.shares_injection(c.level)) injection_duplex_ = std::max(injection_duplex_, c.duplex_bandwidth->si);
  }
  for (int v = 0; v < t.num_vertices(); ++v) {
    int with_cores = 0;
    for (int c : t.children(v)) with_cores += t.num_cores(c) > 0 ? 1 : 0;
    if (with_cores < 2) continue;
    costs_[v] = machine.costs_at(v);
    if (costs_[v] == nullptr) throw std::logic_error("no figures for level '" + t.name(v) + "', at which cores meet");
    for (int c : t.children(v)) {
      if (machine.is_in_fabric(c)) continue;
      link_bandwidth_[c] = costs_[v]->link_bandwidth.si;
      if (machine.is_in_fabric(v)) {
        duplex_bandwidth_[c] = injection_duplex_;
      } else if (costs_[v]->duplex_bandwidth) {
        duplex_bandwidth_[c] = costs_[v]->duplex_bandwidth->si;
      }
    }
  }
}

MessageCost MessageCosts::between(int a, int b, double bytes) const {
  if (a == b) {
    // A message to oneself is a copy by the core itself, which is busy for all of its latency.
    const double latency_s = machine_.loopback_latency(a).value;
    return {latency_s, latency_s, machine_.loopback_bandwidth(a).value};
  }
  const LevelCosts& c = *costs_[topology().lowest_common_ancestor(a, b)];
  const MessageFigures figures = figures_of(c, bytes);
  MessageCost cost{figures.latency_s, figures.overhead_s, figures.bandwidth, c.gap ? c.gap->si : 0};
  if (!machine_.fabric) return cost;
  std::vector<int> links;
  fabric_route(a, b, links);
  cost.latency_s += static_cast<double>(links.size()) * machine_.fabric->hop_latency.si;
  for (const int l : links) {
    cost.bandwidth_bytes_per_s = std::min(cost.bandwidth_bytes_per_s, machine_.fabric->bandwidth(l));
  }
  return cost;
}

double MessageCosts::duplex_weight(int v, int meeting) const {
  if (duplex_bandwidth_[v] == 0) return 0;
  if (!machine_.is_in_fabric(meeting) || !machine_.is_in_fabric(topology().parent(v))) return 1;
  const std::optional<Figure>& own = costs_[meeting]->duplex_bandwidth;
  return own ? injection_duplex_ / own->si : 0;
}

void MessageCosts::fabric_route(int a, int b, std::vector<int>& links) const {
  if (!machine_.fabric) return;
  const auto router = [&](int core) { return machine_.fabric->router_of(topology().node(core)); };
  machine_.fabric->fabric->route(router(a), router(b), links);
}

double MessageCosts::core_link_bandwidth(int core) const {
  for (int v = core; v >= 0; v = topology().parent(v)) {
    if (link_bandwidth_[v] > 0) return link_bandwidth_[v];
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace strata::models
