// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/link_names.h"

#include <algorithm>

#include "flow/duplex_links.h"
#include "platforms/core_name.h"
#include "platforms/fabric.h"
#include "platforms/memory.h"
#include "platforms/segments.h"
#include "records/links.h"

namespace strata::flow {
namespace {

std::string name_of(const Topology& t, const RouteTree& tree, int stop) {
  if (stop < tree.num_cores()) return core_name(t, stop);
  const int vertex = tree.stops()[stop].vertex, node = t.node(vertex);
  std::string own = t.name(vertex) + "#" + std::to_string(vertex);
  if (node < 0) return own;
  const std::string of_node = "node" + std::to_string(node);
  return vertex == t.node_vertex(node) ? of_node : of_node + "." + own;
}

}  // namespace

std::vector<LinkName> link_names(const Machine& machine, const RouteTree& tree) {
  const Topology& t = *machine.topology;
  std::vector<LinkName> names;
  const auto& stops = tree.stops();
  for (int s = 0; s < static_cast<int>(stops.size()); ++s) {
    const std::string name = name_of(t, tree, s);
    const std::string level = stops[s].up < 0 ? "" : stops[stops[s].up].costs->level;
    names.push_back({name, level, "up", stops[s].link_bandwidth});
    names.push_back({name, level, "down", stops[s].link_bandwidth});
  }
  if (const PortPlaces* ports = tree.ports()) {
    for (int port = 0; port < ports->count(); ++port) {
      for (const char* direction : {"up", "down"}) {
        names.push_back({port_name(*machine.ports, port), kPortLevel, direction, machine.ports->bandwidth.si});
      }
    }
  }
  for (int l = tree.first_fabric_link(); l < tree.num_links(); ++l) {
    const Fabric& fabric = *machine.fabric->fabric;
    const int link = l - tree.first_fabric_link();
    names.push_back({fabric.describe(link), fabric.kinds()[fabric.kind(link)], "across", tree.link_bandwidth(l)});
  }
  for (int core = 0; core < tree.num_cores(); ++core) {
    names.push_back({core_name(t, core), "loopback", "self", machine.loopback_bandwidth(t.cores()[core]).value});
  }
  if (machine.memory) {
    const Memories memories(t);
    for (int m = 0; m < memories.count(); ++m) {
      names.push_back({memories.name(m), kMemoryLevel, "both", machine.memory->bandwidth.si});
    }
    // A core's time is also a link of Flows, but not a link of the machine, so it gets neither name nor capacity.
    names.resize(names.size() + tree.num_cores());
    if (const std::optional<Figure>& capacity = machine.memory->shared_cache_bandwidth) {
      const OutermostCaches caches(t);
      for (int c = 0; c < caches.count(); ++c) names.push_back({caches.name(c), kCacheLevel, "both", capacity->si});
    }
  }
  const std::vector<double> duplex = duplex_capacities(machine, tree);
  for (size_t s = 0; s < stops.size(); ++s) {
    if (duplex[s] == 0) continue;
    names.push_back(
        {names[RouteTree::up_link(static_cast<int>(s))].link, stops[stops[s].up].costs->level, "both", duplex[s]});
  }
  const bool copies = std::any_of(machine.levels.begin(), machine.levels.end(), states_copies);
  if (!machine.memory && copies) names.resize(names.size() + tree.num_cores());
  return names;
}

}  // namespace strata::flow
