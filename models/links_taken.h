// SPDX-License-Identifier: LGPL-2.1-only
// The links that a message takes (message_cost.h): up from its sender's core to below the vertex where the paths meet,
// and down to its receiver's; between nodes of a torus, a dragonfly or a fat tree, the links between its routers; for a
// message to itself, the core's loopback; the joint link of a vertex's two directions, if its bandwidth is stated;
// memories and cores' own time on a machine with figures of its memory, and of the cores that copy it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/message_cost.h"
#include "platforms/fabric.h"

namespace strata::models {

struct Link {
  enum class Kind { kUp, kDown, kLoopback, kFabric, kDuplex, kMemory, kCore };
  int of;  // the vertex whose link it is; for the fabric, the link's number
  Kind kind;
  double capacity_bytes_per_s;
  double weight = 1;  // how much of it a message takes for each byte: a part if the message is spread over several
                      // routes
};

/// One past the largest link_index.
inline size_t num_link_indexes(const Machine& machine) {
  return 6 * static_cast<size_t>(machine.topology->num_vertices()) +
         (machine.fabric ? static_cast<size_t>(machine.fabric->fabric->num_links()) : 0);
}

/// A unique index for every link: in the order of the tree, then joint links, memories, cores, then those of the
/// fabric.
inline size_t link_index(const Link& link, const Machine& machine) {
  const auto vertices = static_cast<size_t>(machine.topology->num_vertices());
  if (link.kind == Link::Kind::kDuplex) return 3 * vertices + link.of;
  if (link.kind == Link::Kind::kMemory) return 4 * vertices + link.of;
  if (link.kind == Link::Kind::kCore) return 5 * vertices + link.of;
  if (link.kind == Link::Kind::kFabric) return 6 * vertices + link.of;
  return 3 * static_cast<size_t>(link.of) + static_cast<size_t>(link.kind);
}

/// Calls `visit` with each link on the way from core `from` to core `to` (vertices). O(depth + links).
template <class Visit>
void for_each_link(const MessageCosts& costs, int from, int to, Visit visit) {
  if (from == to) return visit(Link{from, Link::Kind::kLoopback, costs.machine().loopback_bandwidth(from).value});
  const Topology& t = costs.topology();
  const int meeting = t.lowest_common_ancestor(from, to);
  const auto climb = [&](int core, Link::Kind kind) {
    for (int v = core; v != meeting; v = t.parent(v)) {
      if (costs.link_bandwidth(v) > 0) visit(Link{v, kind, costs.link_bandwidth(v)});
    }
  };
  climb(from, Link::Kind::kUp);
  climb(to, Link::Kind::kDown);
  std::vector<Fabric::Part> fabric;
  costs.fabric_ways(from, to, fabric);
  for (const auto& [l, part] : fabric) {
    visit(Link{l, Link::Kind::kFabric, costs.machine().fabric->bandwidth(l), part});
  }
  if (!costs.has_duplex()) return;
  for (const int core : {from, to}) {
    for (int v = core; v != meeting; v = t.parent(v)) {
      const double weight = costs.duplex_weight(v, meeting);
      if (weight > 0) visit(Link{v, Link::Kind::kDuplex, costs.duplex_bandwidth(v), weight});
    }
  }
}

/// The use of a memory or a core as a link.
inline Link link_of(const MemoryUse& use, const Machine& machine) {
  return {use.vertex, use.of_core ? Link::Kind::kCore : Link::Kind::kMemory, capacity(use, machine), use.weight};
}

/// The same for a message of `bytes` of payload; also visits the memories and cores that it uses.
template <class Visit>
void for_each_link(const MessageCosts& costs, int from, int to, double bytes, Visit visit) {
  for_each_link(costs, from, to, visit);
  for (const MemoryUse& use : costs.memory_uses(from, to, bytes)) visit(link_of(use, costs.machine()));
}

/// Why no model holds for messages that may take detours (MessageCosts::may_go_around).
inline constexpr const char* kGoesAround =
    "routing: messages between routers may go around, by what else is under way when they start";

/// "up link of node 3", "down link of core 5 of node 3", "loopback of core 0 of node 0", "x+ link of router (1,0,3)",
/// "up and down link of node 3", "memory of node 3, NUMANode 1", "core 5 of node 3".
std::string describe(const Link& link, const Machine& machine);

}  // namespace strata::models
