// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/assumed_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/units.h"
#include "platforms/port_places.h"

namespace strata {
namespace {

struct DefaultCosts {
  double latency_us, overhead_us, bandwidth_gbs, link_gbs;
};

// Orders of magnitude for current machines, for a first look at one without figures: a 100 Gb/s network, shared memory
// between sockets, within a socket, and among the cores of a cache.
constexpr DefaultCosts kDefaultNetwork{1.5, 0.5, 11, 12.5};
constexpr DefaultCosts kDefaultBetweenSockets{0.7, 0.3, 6, 40};
constexpr DefaultCosts kDefaultWithinSocket{0.5, 0.25, 8, 60};
constexpr DefaultCosts kDefaultWithinCache{0.3, 0.15, 10, 20};
constexpr const char* kWhyDefault = "assumed: default order of magnitude for a machine without figures of its own";

Figure assume(double value, const char* unit, const char* dimension) {
  return {value, unit, kWhyDefault, value * unit_factor(dimension, unit)};
}

DefaultCosts defaults_for(ObjectType type) {
  switch (type) {
    case ObjectType::kNetwork:
      return kDefaultNetwork;
    case ObjectType::kMachine:
      return kDefaultBetweenSockets;
    case ObjectType::kPackage:
    case ObjectType::kDie:
    case ObjectType::kGroup:
      return kDefaultWithinSocket;
    default:
      return kDefaultWithinCache;
  }
}

// The first vertex of a level. Its kind determines the default costs.
int example_of(const Topology& t, const std::string& level) {
  int v = 0;
  while (t.name(v) != level) ++v;
  return t.type(v) == ObjectType::kNumaNode ? t.parent(v) : v;  // the object that has the NUMA node
}

LevelCosts default_level(const Topology& t, const std::string& level) {
  const DefaultCosts d = defaults_for(t.type(example_of(t, level)));
  return {.level = level,
          .latency = assume(d.latency_us, "us", "time"),
          .overhead = assume(d.overhead_us, "us", "time"),
          .bandwidth = assume(d.bandwidth_gbs, "GB/s", "bandwidth"),
          .link_bandwidth = assume(d.link_gbs, "GB/s", "bandwidth")};
}

// The costs of the outermost level of the network; null if there is only one node.
const LevelCosts* network_costs(const Machine& m) {
  const Topology& t = *m.topology;
  for (int v = 0; v < t.num_vertices() && t.type(v) == ObjectType::kNetwork; ++v) {
    if (const LevelCosts* costs = m.costs_at(v)) return costs;
  }
  return nullptr;
}

// By network level: the largest number of nodes below one of its groups.
std::map<std::string, int> nodes_of_groups(const Topology& t) {
  std::vector<int> nodes(t.num_vertices(), 0);
  std::map<std::string, int> most;
  for (int v = t.num_vertices() - 1; v > 0; --v) {
    if (t.type(v) == ObjectType::kMachine) nodes[v] = 1;
    if (t.node(v) >= 0 && t.type(v) != ObjectType::kMachine) continue;
    const int above = t.parent(v);
    nodes[above] += nodes[v];
    if (t.type(v) == ObjectType::kNetwork) most[t.name(above)] = std::max(most[t.name(above)], nodes[v]);
  }
  return most;
}

// On a fabric, the links of network levels are the nodes' injection links. Their bandwidth is that of the fabric, or of
// the known costs.
void inject(const LevelCosts* known, Machine& m) {
  if (known != nullptr) m.fabric->injection = known->link_bandwidth;
  for (LevelCosts& level : m.levels) {
    if (!m.shares_injection(level.level)) continue;
    level.link_bandwidth = m.fabric->injection;
    if (known != nullptr) continue;
    constexpr double kPart = kDefaultNetwork.bandwidth_gbs / kDefaultNetwork.link_gbs;
    level.bandwidth = {kPart * m.fabric->injection.value, m.fabric->injection.unit,
                       fmt::format("assumed: {:.0f} % of the injection, as by default", 100 * kPart),
                       kPart * m.fabric->injection.si};
  }
}

void widen(int nodes, Figure& figure) {
  figure.source =
      fmt::format("assumed: {} nodes below a link, {} {} each ({})", nodes, figure.value, figure.unit, figure.source);
  figure.value *= nodes;
  figure.si *= nodes;
}

}  // namespace

// The names of levels at which cores meet: vertices with cores below at least two children.
std::vector<std::string> branching_levels(const Topology& t) {
  std::vector<std::string> names;
  for (int v = 0; v < t.num_vertices(); ++v) {
    int with_cores = 0;
    for (int c : t.children(v)) with_cores += t.num_cores(c) > 0 ? 1 : 0;
    if (with_cores >= 2 && std::find(names.begin(), names.end(), t.name(v)) == names.end()) names.push_back(t.name(v));
  }
  return names;
}

void assume_costs(Machine& m) {
  m.core_speed = assume(10, "Gflop/s", "speed");
  m.copy_bandwidth = assume(10, "GB/s", "bandwidth");
  m.eager_limit = assume(4, "KiB", "size");
  for (const std::string& level : branching_levels(*m.topology)) m.levels.push_back(default_level(*m.topology, level));
}

void assume_network_costs(const Machine* known, Machine& m) {
  assume_costs(m);
  const Topology& t = *m.topology;
  if (known != nullptr) {
    m.core_speed = known->core_speed;
    m.copy_bandwidth = known->copy_bandwidth;
    m.eager_limit = known->eager_limit;
    m.stated_combine_bandwidth = known->stated_combine_bandwidth;
    m.stated_copies = known->stated_copies;
    m.memory = known->memory;
    m.queue_search = known->queue_search;
    m.polling = known->polling;
    if (known->ports && !find_missing_port(t, *known->ports)) m.ports = known->ports;
  }
  for (LevelCosts& level : m.levels) {
    const bool of_network = t.type(example_of(t, level.level)) == ObjectType::kNetwork;
    const auto same = [&](const LevelCosts& c) { return c.level == level.level; };
    const LevelCosts* costs = nullptr;
    if (known != nullptr && of_network) {
      costs = network_costs(*known);
    } else if (known != nullptr) {
      const auto found = std::find_if(known->levels.begin(), known->levels.end(), same);
      costs = found == known->levels.end() ? nullptr : &*found;
    }
    if (costs == nullptr) continue;
    std::string name = std::move(level.level);
    level = *costs;
    level.level = std::move(name);
  }
  if (m.fabric) return inject(known == nullptr ? nullptr : network_costs(*known), m);
  for (const auto& [name, nodes] : nodes_of_groups(t)) {
    if (nodes < 2) continue;
    for (LevelCosts& level : m.levels) {
      if (level.level != name) continue;
      widen(nodes, level.link_bandwidth);
      if (level.duplex_bandwidth) widen(nodes, *level.duplex_bandwidth);
    }
  }
}

}  // namespace strata
