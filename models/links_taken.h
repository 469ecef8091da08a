// SPDX-License-Identifier: LGPL-2.1-only
// The links that a message takes (message_cost.h): up from its sender's core to below the vertex where the paths meet,
// and down to its receiver's; between nodes with several ports, through those; between nodes of a torus, a dragonfly or
// a fat tree, the links between its routers; for a message to itself, the core's loopback; the joint link of a vertex's
// two directions, if its bandwidth is stated; memories, caches and cores' own time on a machine with figures of its
// memory, and of the cores that copy it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/message_cost.h"
#include "platforms/fabric.h"

namespace strata::models {

struct Link {
  enum class Kind { kUp, kDown, kLoopback, kFabric, kDuplex, kMemory, kCore, kCache, kPortOut, kPortIn };
  int of;  // the vertex whose link it is; for the fabric, the link's number; for a port, its number
  Kind kind;
  double capacity_bytes_per_s;
  double weight = 1;  // how much of it a message takes for each byte: a part if the message is spread over several
                      // routes
};

inline bool is_port(Link::Kind kind) { return kind == Link::Kind::kPortOut || kind == Link::Kind::kPortIn; }

/// One past the largest link_index.
inline size_t num_link_indexes(const Machine& machine) {
  return 7 * static_cast<size_t>(machine.topology->num_vertices()) +
         (machine.ports ? 2 * machine.ports->at.size() * static_cast<size_t>(machine.topology->num_nodes()) : 0) +
         (machine.fabric ? static_cast<size_t>(machine.fabric->fabric->num_links()) : 0);
}

/// A unique index for every link: in the order of the tree, then joint links, memories, cores, caches, then those of
/// the fabric, then ports.
inline size_t link_index(const Link& link, const Machine& machine) {
  const auto vertices = static_cast<size_t>(machine.topology->num_vertices());
  if (link.kind == Link::Kind::kDuplex) return 3 * vertices + link.of;
  if (link.kind == Link::Kind::kMemory) return 4 * vertices + link.of;
  if (link.kind == Link::Kind::kCore) return 5 * vertices + link.of;
  if (link.kind == Link::Kind::kCache) return 6 * vertices + link.of;
  if (link.kind == Link::Kind::kFabric) return 7 * vertices + link.of;
  if (is_port(link.kind)) {
    const size_t fabric = machine.fabric ? static_cast<size_t>(machine.fabric->fabric->num_links()) : 0;
    return 7 * vertices + fabric + 2 * static_cast<size_t>(link.of) + (link.kind == Link::Kind::kPortIn ? 1 : 0);
  }
  return 3 * static_cast<size_t>(link.of) + static_cast<size_t>(link.kind);
}

/// A part of a message's way: the link of a vertex to the one above, or a port.
struct WayPart {
  int of;  // as Link::of
  Link::Kind kind;
  double part;  // of the message's bytes
};

/// The way of a message of `bytes` between `core` and the ports of its node that carry it, in the order from the core,
/// and the ports; `outward`: it leaves the node. O(depth * ports).
std::vector<WayPart> way_through_ports(const Topology& t, const PortPlaces& ports, int core, bool outward,
                                       double bytes);

/// Calls `visit` with each link on the way of a message of `bytes` from core `from` to core `to` (vertices), except
/// memories and cores. O(depth + links).
template <class Visit>
void for_each_link_of_paths(const MessageCosts& costs, int from, int to, double bytes, Visit visit) {
  if (from == to) return visit(Link{from, Link::Kind::kLoopback, costs.machine().loopback_bandwidth(from).value});
  const Topology& t = costs.topology();
  const int meeting = t.lowest_common_ancestor(from, to);
  const PortPlaces* ports = costs.ports_between(from, to);
  const auto for_each_part = [&](int core, Link::Kind kind, auto each) {
    int v = core;
    if (ports != nullptr) {
      for (const WayPart& p : way_through_ports(t, *ports, core, kind == Link::Kind::kUp, bytes)) each(p);
      v = t.node_vertex(t.node(core));
    }
    for (; v != meeting; v = t.parent(v)) each(WayPart{v, kind, 1});
  };
  const auto visit_part = [&](const WayPart& p) {
    const double bandwidth = is_port(p.kind) ? costs.machine().ports->bandwidth.si : costs.link_bandwidth(p.of);
    if (bandwidth > 0) visit(Link{p.of, p.kind, bandwidth, p.part});
  };
  for_each_part(from, Link::Kind::kUp, visit_part);
  for_each_part(to, Link::Kind::kDown, visit_part);
  std::vector<Fabric::Part> fabric;
  costs.fabric_ways(from, to, fabric);
  for (const auto& [l, part] : fabric) {
    visit(Link{l, Link::Kind::kFabric, costs.machine().fabric->bandwidth(l), part});
  }
  if (!costs.has_duplex()) return;
  const auto visit_joint = [&](const WayPart& p) {
    const double weight = is_port(p.kind) ? 0 : p.part * costs.duplex_weight(p.of, meeting);
    if (weight > 0) visit(Link{p.of, Link::Kind::kDuplex, costs.duplex_bandwidth(p.of), weight});
  };
  for_each_part(from, Link::Kind::kUp, visit_joint);
  for_each_part(to, Link::Kind::kDown, visit_joint);
}

/// The same for a message that is not divided among several ports.
template <class Visit>
void for_each_link(const MessageCosts& costs, int from, int to, Visit visit) {
  for_each_link_of_paths(costs, from, to, 0, visit);
}

/// The use of a memory, a core or a cache as a link.
inline Link link_of(const MemoryUse& use, const Machine& machine) {
  Link link{use.vertex, Link::Kind::kMemory, capacity(use, machine), use.weight};
  if (use.of == MemoryUse::Of::kCore) link.kind = Link::Kind::kCore;
  if (use.of == MemoryUse::Of::kCache) link.kind = Link::Kind::kCache;
  return link;
}

/// The same, and the memories, caches and cores that the message uses.
template <class Visit>
void for_each_link(const MessageCosts& costs, int from, int to, double bytes, Visit visit) {
  for_each_link_of_paths(costs, from, to, bytes, visit);
  for (const MemoryUse& use : costs.memory_uses(from, to, bytes)) visit(link_of(use, costs.machine()));
}

/// Why no model holds for messages that may take detours (MessageCosts::may_go_around).
inline constexpr const char* kGoesAround =
    "routing: messages between routers may go around, by what else is under way when they start";

/// "up link of node 3", "down link of core 5 of node 3", "loopback of core 0 of node 0", "x+ link of router (1,0,3)",
/// "up and down link of node 3", "memory of node 3, NUMANode 1", "cache of node 3, L3 1", "core 5 of node 3".
std::string describe(const Link& link, const Machine& machine);

}  // namespace strata::models
