// SPDX-License-Identifier: LGPL-2.1-only
#include "models/message_cost.h"

#include <algorithm>
#include <stdexcept>

#include "platforms/fabric_ways.h"
#include "platforms/segments.h"

namespace strata::models {

MessageCosts::MessageCosts(const Machine& machine, const std::vector<Binding>& ranks)
    : machine_(machine),
      costs_(machine.topology->num_vertices(), nullptr),
      link_bandwidth_(machine.topology->num_vertices(), 0),
      duplex_bandwidth_(machine.topology->num_vertices(), 0),
      combine_bandwidth_(machine.combine_bandwidth().si) {
  if (machine.memory) memory_.emplace(machine, ranks);
  if (machine.ports) ports_.emplace(machine);
  const Topology& t = topology();
  for (const LevelCosts& c : machine.levels) {
    has_copies_ = has_copies_ || states_copies(c);
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
  MessageCost cost = of_level(a, b, bytes);
  if (memory_ || has_copies_)
    cost.bandwidth_bytes_per_s =
        std::min(cost.bandwidth_bytes_per_s, room(uses_at(a, b, bytes, cost.bandwidth_bytes_per_s), machine_));
  return cost;
}

MessageCost MessageCosts::of_level(int a, int b, double bytes) const {
  if (a == b) {
    // A message to oneself is a copy by the core, which is busy for the whole latency.
    const double latency_s = machine_.loopback_latency(a).value;
    return {latency_s, latency_s, machine_.loopback_bandwidth(a).value};
  }
  const LevelCosts& c = *costs_[topology().lowest_common_ancestor(a, b)];
  const MessageFigures figures = figures_of(c, bytes);
  MessageCost cost{figures.latency_s, figures.overhead_s, figures.bandwidth, c.gap ? c.gap->si : 0,
                   figures.receive_overhead_s};
  if (const PortPlaces* ports = ports_between(a, b)) {
    for (const int core : {a, b}) {
      const PortPlaces::Choice choice = ports->of(topology().first_core(core), bytes);
      cost.bandwidth_bytes_per_s = std::min(cost.bandwidth_bytes_per_s, choice.count * machine_.ports->bandwidth.si);
      if (choice.far && machine_.ports->far_latency) cost.latency_s += machine_.ports->far_latency->si;
    }
  }
  if (!machine_.fabric) return cost;
  std::vector<Fabric::Part> parts;
  fabric_ways(a, b, parts);
  double hops = 0;
  for (const auto& [link, part] : parts) {
    hops += part;
    cost.bandwidth_bytes_per_s = std::min(cost.bandwidth_bytes_per_s, machine_.fabric->bandwidth(link) / part);
  }
  cost.latency_s += hops * machine_.fabric->hop_latency.si;
  return cost;
}

std::vector<MemoryUse> MessageCosts::memory_uses(int a, int b, double bytes) const {
  if (!memory_ && !has_copies_) return {};
  return uses_at(a, b, bytes, of_level(a, b, bytes).bandwidth_bytes_per_s);
}

std::vector<MemoryUse> MessageCosts::uses_at(int a, int b, double bytes, double bandwidth) const {
  MessageFigures figures = {};
  if (has_copies_ && a != b) figures = figures_of(*costs_[topology().lowest_common_ancestor(a, b)], bytes);
  std::vector<MemoryUse> uses;
  const double copied = machine_.copy_bandwidth.si;
  if (figures.send_copy > 0) uses.push_back({a, MemoryUse::Of::kCore, copied / figures.send_copy});
  if (figures.receive_copy > 0) uses.push_back({b, MemoryUse::Of::kCore, copied / figures.receive_copy});
  if (!memory_) return uses;
  const std::vector<MemoryUse> of_memory = memory_->of_message(a, b, bytes, bandwidth, figures.states_copies());
  uses.insert(uses.end(), of_memory.begin(), of_memory.end());
  return uses;
}

double MessageCosts::combine_s(int core, double bytes) const {
  return bytes / (memory_ ? room(memory_->of_combination(core, bytes), machine_) : combine_bandwidth_);
}

double MessageCosts::duplex_weight(int v, int meeting) const {
  if (duplex_bandwidth_[v] == 0) return 0;
  if (!machine_.is_in_fabric(meeting) || !machine_.is_in_fabric(topology().parent(v))) return 1;
  const std::optional<Figure>& own = costs_[meeting]->duplex_bandwidth;
  return own ? injection_duplex_ / own->si : 0;
}

void MessageCosts::fabric_ways(int a, int b, std::vector<Fabric::Part>& parts) const {
  if (machine_.fabric) find_ways(*machine_.fabric, topology().node(a), topology().node(b), parts);
}

bool MessageCosts::may_go_around(int a, int b) const {
  if (!machine_.fabric || machine_.fabric->routing != Routing::kAdaptive) return false;
  const auto router = [&](int core) { return machine_.fabric->router_of(topology().node(core)); };
  return router(a) != router(b);
}

}  // namespace strata::models
