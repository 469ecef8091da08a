// SPDX-License-Identifier: LGPL-2.1-only
#include "models/links_taken.h"

#include <fmt/format.h>

#include "platforms/fabric.h"
#include "platforms/memory.h"
#include "platforms/port_places.h"

namespace strata::models {
namespace {

// "node 3", "core 5 of node 3" (its cores in logical order; for a link at any object with only that core), "L3 1 of
// node 0". For a switch, its name and its number among the switches of that name, in the order of the tree.
std::string describe_vertex(const Topology& t, int v) {
  const int node = t.node(v);
  if (t.type(v) == ObjectType::kMachine) return fmt::format("node {}", node);
  if (node >= 0 && t.num_cores(v) == 1) {
    return fmt::format("core {} of node {}", t.first_core(v) - t.first_core(t.node_vertex(node)), node);
  }
  if (const NodeObject* o = t.object(v)) return fmt::format("{} {} of node {}", o->name, o->logical_index, node);
  int before = 0;
  for (int u = 0; u < v; ++u) before += t.type(u) == ObjectType::kNetwork && t.name(u) == t.name(v) ? 1 : 0;
  return fmt::format("{} {}", t.name(v), before);
}

}  // namespace

std::vector<WayPart> way_through_ports(const Topology& t, const PortPlaces& ports, int core, bool outward,
                                       double bytes) {
  std::vector<WayPart> way;
  const auto add = [&](int of, Link::Kind kind, double part) {
    for (WayPart& p : way) {
      if (p.of != of || p.kind != kind) continue;
      p.part += part;
      return;
    }
    way.push_back({of, kind, part});
  };
  const Link::Kind away = outward ? Link::Kind::kUp : Link::Kind::kDown;
  const Link::Kind back = outward ? Link::Kind::kDown : Link::Kind::kUp;
  const PortPlaces::Choice choice = ports.of(t.first_core(core), bytes);
  const double part = 1.0 / choice.count;
  for (int port = choice.first; port < choice.first + choice.count; ++port) {
    const int at = ports.vertex(port), meeting = t.lowest_common_ancestor(core, at);
    for (int v = core; v != meeting; v = t.parent(v)) add(v, away, part);
    for (int v = at; v != meeting; v = t.parent(v)) add(v, back, part);
    add(port, outward ? Link::Kind::kPortOut : Link::Kind::kPortIn, part);
  }
  return way;
}

std::string describe(const Link& link, const Machine& machine) {
  if (link.kind == Link::Kind::kFabric) return machine.fabric->fabric->describe(link.of);
  if (is_port(link.kind))
    return fmt::format("{} {}", port_name(*machine.ports, link.of), link.kind == Link::Kind::kPortOut ? "out" : "in");
  const Topology& t = *machine.topology;
  if (link.kind == Link::Kind::kMemory) return name_in_node(t, "memory", link.of);
  if (link.kind == Link::Kind::kCache) return name_in_node(t, "cache", link.of);
  if (link.kind == Link::Kind::kCore) return describe_vertex(t, link.of);
  const char* kind = link.kind == Link::Kind::kUp       ? "up link"
                     : link.kind == Link::Kind::kDown   ? "down link"
                     : link.kind == Link::Kind::kDuplex ? "up and down link"
                                                        : "loopback";
  return fmt::format("{} of {}", kind, describe_vertex(t, link.of));
}

}  // namespace strata::models
