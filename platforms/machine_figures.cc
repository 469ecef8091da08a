// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/machine_figures.h"

#include <fmt/format.h>

#include "platforms/fabric.h"
#include "platforms/fabric_form.h"
#include "platforms/memory.h"

namespace strata {
namespace {

Figure none(const char* unit) { return {0, unit, "assumed: none, since the machine states none", 0}; }

Figure twice_the_link(const Machine&, const LevelCosts& level) {
  Figure f = level.link_bandwidth;
  f.value *= 2;
  f.si *= 2;
  f.source = "assumed: twice the link's bandwidth, since the machine states none";
  return f;
}

// That of the level of the segment, which is one of the machine's.
Figure receive_overhead_of_level(const Machine& m, const Segment& segment) {
  for (const LevelCosts& c : m.levels) {
    for (const Segment& s : c.segments) {
      if (&s == &segment && c.receive_overhead) return *c.receive_overhead;
    }
  }
  return none("us");
}

// Where a mapping stands: its path, and what the names and titles of its figures begin with.
struct Place {
  std::vector<std::variant<std::string, int>> path;
  std::string name, title;

  Place in(const std::string& key, const std::string& title_of) const {
    Place place{path, name + key + ".", title_of + ": "};
    place.path.emplace_back(key);
    return place;
  }
};

Place place_of_level(const Machine& m, size_t i) {
  const std::string& level = m.levels[i].level;
  return {{"levels", static_cast<int>(i)}, level + ".", level + ": "};
}

Place place_of_segment(const Machine& m, size_t level, size_t i) {
  const LevelCosts& c = m.levels[level];
  const Figure& from = c.segments[i].from;
  Place place = place_of_level(m, level);
  place.path.insert(place.path.end(), {"segments", static_cast<int>(i)});
  place.name += fmt::format("segments[{}].", i);
  place.title = fmt::format("{} from {} {}: ", c.level, from.value, from.unit);
  return place;
}

// Calls visit(place, row, owner) for each row of each mapping, and visit_link(kind) for each kind of the fabric's
// links, in the order of machine.yaml. M is Machine or const Machine.
template <class M, class Visit, class VisitLink>
void visit_figures(M& m, const Visit& visit, const VisitLink& visit_link) {
  const auto all = [&](const Place& place, const auto& rows, auto& owner) {
    for (const auto& row : rows) visit(place, row, owner);
  };
  all(Place().in("core", "core"), core_figures(), m);
  all(Place(), message_figures(), m);
  if (m.memory) all(Place().in("memory", "memory"), memory_figures(), *m.memory);
  if (m.fabric) {
    all(Place().in(m.fabric->form().key, m.fabric->form().key), fabric_figures(), *m.fabric);
    for (size_t k = 0; k < m.fabric->links.size(); ++k) visit_link(static_cast<int>(k));
  }
  if (m.ports) all(Place().in("ports", "ports"), port_figures(), *m.ports);
  for (size_t i = 0; i < m.levels.size(); ++i) {
    all(place_of_level(m, i), level_figures(), m.levels[i]);
    for (size_t s = 0; s < m.levels[i].segments.size(); ++s)
      all(place_of_segment(m, i, s), segment_figures(), m.levels[i].segments[s]);
    all(place_of_level(m, i), node_link_figures(), m.levels[i]);
  }
}

PlacedFigure link_figure(const FabricNetwork& fabric, int kind) {
  const FabricForm& form = fabric.form();
  const std::string& name = fabric.fabric->kinds()[kind];
  PlacedFigure f{.path = {form.key},
                 .name = fabric.figure_name(kind),
                 .title = fmt::format("{}: {}", form.key, name),
                 .dimension = "bandwidth",
                 .stated = fabric.links[kind],
                 .otherwise = {},
                 .is_listed_unstated = false,
                 .stated_here = true};
  if (form.links != FabricForm::Links::kByKind) {
    f.path.emplace_back("links");
    f.title += " links";
  }
  if (form.links == FabricForm::Links::kList) {
    f.path.emplace_back(kind);
  } else {
    f.path.emplace_back(name);
  }
  return f;
}

}  // namespace

const FigureRows<Machine>& core_figures() {
  static const FigureRows<Machine> rows = {
      {.key = {.name = "speed",
               .value = {},
               .meaning = "What one core computes.",
               .example = "speed: {value: 2.5, unit: Gflop/s, source: measured}",
               .missing = "add it"},
       .member = &Machine::core_speed,
       .dimension = "speed"},
      {.key =
           {.name = "copy_bandwidth", .value = {}, .meaning = "What one core copies in memory.", .missing = "add it"},
       .member = &Machine::copy_bandwidth,
       .dimension = "bandwidth"},
      {.key = {.name = "combine_bandwidth",
               .value = {},
               .meaning = "How much of one operand a core combines with another (the operation of a "
                          "reduction). Left out: the copy bandwidth, for a combination reads two streams and "
                          "writes one, the traffic of a copy whose writes allocate their lines."},
       .member = &Machine::stated_combine_bandwidth,
       .dimension = "bandwidth",
       .otherwise = [](const Machine& m, const Machine&) { return m.combine_bandwidth(); },
       .is_listed_unstated = true}};
  return rows;
}

const FigureRows<Machine>& message_figures() {
  static const FigureRows<Machine> rows = {
      {.key = {.name = "eager_limit",
               .value = {},
               .meaning = "Longer messages wait for their receiver (rendezvous).",
               .example = "eager_limit: {value: 4, unit: KiB, source: measured}",
               .missing = "add it"},
       .member = &Machine::eager_limit,
       .dimension = "size"},
      {.key = {.name = "copies",
               .value = {},
               .meaning = "How many cores a message above the eager limit within a node takes while it is "
                          "copied: 1, the receiver's, straight from the sender's memory (CMA, XPMEM, threads of "
                          "one process); or 2, the sender's and the receiver's at the same time, through a "
                          "segment that they share. Left out: 1."},
       .member = &Machine::stated_copies,
       .dimension = "copies",
       .otherwise = [](const Machine& m, const Machine&) { return m.copies(); },
       .is_listed_unstated = true},
      {.key = {.name = "queue_search",
               .value = {},
               .meaning = "What it takes a rank to pass one entry of a list while it looks for another: a message that "
                          "came before its receive, or a receive posted before its message. Each rank has one list of "
                          "either. Left out: 0, as with libraries that look entries up in a table, such as UCX.",
               .example = "queue_search: {value: 4, unit: ns, source: measured}"},
       .member = &Machine::queue_search,
       .dimension = "time",
       .otherwise = [](const Machine&, const Machine&) { return none("ns"); }},
      {.key = {.name = "polling",
               .value = {},
               .meaning = "What a progress thread's look at one message takes of its core. No source is known, so a "
                          "machine does not state it: a what-if does, and this is how results keep it."},
       .member = &Machine::polling,
       .dimension = "time",
       .otherwise = [](const Machine&, const Machine&) { return none("us"); }}};
  return rows;
}

const FigureRows<MemoryCosts>& memory_figures() {
  static const FigureRows<MemoryCosts> rows = {
      {.key = {.name = "bandwidth",
               .value = {},
               .meaning = "What the memory of a NUMA node, or of a node without any, carries when enough cores copy: "
                          "bytes read plus bytes written, as STREAM counts a copy.",
               .example = "bandwidth: {value: 17.6, unit: GB/s, source: measured}",
               .missing = "add it, or leave `memory` out"},
       .member = &MemoryCosts::bandwidth,
       .dimension = "bandwidth"},
      {.key = {.name = "combine_bandwidth",
               .value = {},
               .meaning = "The same while cores combine (a daxpy): bytes of both operands read plus bytes written. "
                          "Left out: 1.5 times `bandwidth`, for a copy also reads the lines that it writes."},
       .member = &MemoryCosts::stated_combine_bandwidth,
       .dimension = "bandwidth",
       .otherwise = [](const Machine&, const MemoryCosts& memory) { return memory_combine_bandwidth(memory); },
       .is_listed_unstated = true},
      {.key = {.name = "cache_bandwidth",
               .value = {},
               .meaning = "What one core moves while it computes on data that stay in its outermost cache: bytes read "
                          "plus bytes written. Left out: three times the core's `combine_bandwidth`, as from memory."},
       .member = &MemoryCosts::cache_bandwidth,
       .dimension = "bandwidth",
       .otherwise = [](const Machine& m, const MemoryCosts&) { return cache_bandwidth(m); },
       .is_listed_unstated = true},
      {.key = {.name = "shared_cache_bandwidth",
               .value = {},
               .meaning = "The rate of all cores below one outermost cache together while they copy data that stay in "
                          "it: bytes read plus bytes written. Combinations get 1.5 times as much, for a copy also "
                          "reads the lines that it writes. Left out: the cache is never a bottleneck."},
       .member = &MemoryCosts::shared_cache_bandwidth,
       .dimension = "bandwidth"}};
  return rows;
}

const FigureRows<FabricNetwork>& fabric_figures() {
  static const FigureRows<FabricNetwork> rows = {
      {.key = {.name = "hop_latency",
               .value = {},
               .meaning = "What each link from router to router adds to the latency of a message's level.",
               .missing = "add it"},
       .member = &FabricNetwork::hop_latency,
       .dimension = "time"},
      {.key = {.name = "injection",
               .value = {},
               .meaning = "What the link from a node to its router carries, and the one back: all messages "
                          "between this node and others share it, whatever their level.",
               .missing = "add it"},
       .member = &FabricNetwork::injection,
       .dimension = "bandwidth"}};
  return rows;
}

const FigureRows<NetworkPorts>& port_figures() {
  static const FigureRows<NetworkPorts> rows = {
      {.key = {.name = "bandwidth",
               .value = {},
               .meaning = "The bandwidth of one port, each way. All ports of a node share the link of the node, whose "
                          "bandwidth is the `link_bandwidth` of the level above the nodes, or the `injection`.",
               .example = "bandwidth: {value: 100, unit: Gb/s, source: \"published: the card's data sheet\"}",
               .missing = "add it"},
       .member = &NetworkPorts::bandwidth,
       .dimension = "bandwidth"},
      {.key = {.name = "far_latency",
               .value = {},
               .meaning = "The latency that each end of a message between nodes adds if its core is not below the "
                          "object of its port. Left out: 0."},
       .member = &NetworkPorts::far_latency,
       .dimension = "time",
       .otherwise = [](const Machine&, const NetworkPorts&) { return none("us"); }},
      {.key = {.name = "stripe_from",
               .value = {},
               .meaning = "Messages of this size and more are divided evenly among all ports of both nodes. Left out: "
                          "every message takes one port of each."},
       .member = &NetworkPorts::stripe_from,
       .dimension = "size"}};
  return rows;
}

const FigureRows<LevelCosts>& level_figures() {
  static const FigureRows<LevelCosts> rows = {
      {.key = {.name = "latency",
               .value = {},
               .meaning = "Half a ping-pong of an empty message, both overheads included (alpha of Hockney's model).",
               .missing = "add it"},
       .member = &LevelCosts::latency,
       .dimension = "time"},
      {.key = {.name = "overhead",
               .value = {},
               .meaning = "The part of the latency that keeps the sender's core busy (o_s of LogP).",
               .missing = "add it"},
       .member = &LevelCosts::overhead,
       .dimension = "time"},
      {.key = {.name = "receive_overhead",
               .value = {},
               .meaning = "The part of the latency that keeps the receiver's core busy once the message has arrived "
                          "(o_r of LogP): k messages to one rank cost it k times as much. Left out: 0."},
       .member = &LevelCosts::receive_overhead,
       .dimension = "time",
       .otherwise = [](const Machine&, const LevelCosts&) { return none("us"); }},
      {.key = {.name = "bandwidth",
               .value = {},
               .meaning = "What one message gets (1/beta of Hockney's model).",
               .missing = "add it"},
       .member = &LevelCosts::bandwidth,
       .dimension = "bandwidth"},
      {.key = {.name = "send_copy",
               .value = {},
               .meaning = "The rate at which the sender's core copies these messages while they flow, for example into "
                          "memory that both ranks share. All messages that it copies at the same time share it. At "
                          "least the bandwidth, because a message alone takes no longer. Left out: it copies none, "
                          "except messages within a node above the eager limit (`copies`)."},
       .member = &LevelCosts::send_copy,
       .dimension = "bandwidth"},
      {.key = {.name = "receive_copy",
               .value = {},
               .meaning = "The same for the receiver's core. If one of the two is stated, `copies` says nothing about "
                          "these messages."},
       .member = &LevelCosts::receive_copy,
       .dimension = "bandwidth"},
      {.key =
           {.name = "link_bandwidth",
            .value = {},
            .meaning =
                "What the link up, and the link down, of each child of this level carries in total. Required, except "
                "at the levels of a torus, dragonfly, fat tree or network of switches, which have none: their links "
                "are the fabric's."},
       .member = &LevelCosts::link_bandwidth,
       .dimension = "bandwidth",
       .stated_here = [](const Machine& m, const LevelCosts& c) { return !m.shares_injection(c.level); }}};
  return rows;
}

const FigureRows<LevelCosts>& node_link_figures() {
  static const FigureRows<LevelCosts> rows = {
      {.key = {.name = "duplex_bandwidth",
               .value = {},
               .meaning = "Total capacity of the link up and the link down of a child of this level together, "
                          "where that is less than both. At the levels of a torus or dragonfly: what goes "
                          "in and out of a node, if all of it is messages of this level."},
       .member = &LevelCosts::duplex_bandwidth,
       .dimension = "bandwidth",
       .otherwise = twice_the_link},
      {.key = {.name = "gap",
               .value = {},
               .meaning = "Only of levels of the network: messages of this level leave a node one after "
                          "another, at least this long apart, however short they are (g of LogP, of a "
                          "whole node)."},
       .member = &LevelCosts::gap,
       .dimension = "time",
       .otherwise = [](const Machine&, const LevelCosts&) { return none("us"); },
       .stated_here = [](const Machine& m, const LevelCosts& c) { return is_network_level(m, c.level); }}};
  return rows;
}

const FigureRows<Segment>& segment_figures() {
  static const FigureRows<Segment> rows = {
      {.key = {.name = "from", .value = {}, .meaning = "The least payload of these messages.", .missing = "add it"},
       .member = &Segment::from,
       .dimension = "size"},
      {.key = {.name = "latency",
               .value = {},
               .meaning = "The time of a message less that of its bytes at `bandwidth`; both overheads included.",
               .missing = "add it"},
       .member = &Segment::latency,
       .dimension = "time"},
      {.key = {.name = "overhead",
               .value = {},
               .meaning = "The part of the latency that keeps the sender's core busy.",
               .missing = "add it"},
       .member = &Segment::overhead,
       .dimension = "time"},
      {.key = {.name = "receive_overhead",
               .value = {},
               .meaning = "The part of the latency that keeps the receiver's core busy. Left out: the level's, at most "
                          "the latency less the overhead."},
       .member = &Segment::receive_overhead,
       .dimension = "time",
       .otherwise = receive_overhead_of_level},
      {.key = {.name = "bandwidth", .value = {}, .meaning = "The bandwidth of one message alone.", .missing = "add it"},
       .member = &Segment::bandwidth,
       .dimension = "bandwidth"},
      {.key = {.name = "send_copy",
               .value = {},
               .meaning = "The rate at which the sender's core copies messages of this segment. Left out: it copies "
                          "none, also if the level states one."},
       .member = &Segment::send_copy,
       .dimension = "bandwidth"},
      {.key = {.name = "receive_copy", .value = {}, .meaning = "The same for the receiver's core."},
       .member = &Segment::receive_copy,
       .dimension = "bandwidth"}};
  return rows;
}

std::vector<PlacedFigure> figures_of(const Machine& machine) {
  std::vector<PlacedFigure> all;
  visit_figures(
      machine,
      [&](const Place& place, const auto& row, const auto& owner) {
        const Figure* stated = row.find(owner);
        all.push_back({.path = place.path,
                       .name = place.name + row.key.name,
                       .title = place.title + row.key.name,
                       .dimension = row.dimension,
                       .stated = stated == nullptr ? std::nullopt : std::optional(*stated),
                       .otherwise = row.otherwise ? std::optional(row.otherwise(machine, owner)) : std::nullopt,
                       .is_listed_unstated = row.is_listed_unstated,
                       .stated_here = !row.stated_here || row.stated_here(machine, owner)});
        all.back().path.emplace_back(row.key.name);
      },
      [&](int kind) { all.push_back(link_figure(*machine.fabric, kind)); });
  return all;
}

void state_figure(Machine& machine, const std::string& name, const Figure& figure) {
  visit_figures(
      machine,
      [&](const Place& place, const auto& row, auto& owner) {
        if (place.name + row.key.name == name) row.state(owner, figure);
      },
      [&](int kind) {
        if (machine.fabric->figure_name(kind) == name) machine.fabric->links[kind] = figure;
      });
}

bool is_network_level(const Machine& machine, const std::string& level) {
  const Topology& t = *machine.topology;
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (t.name(v) == level) return t.type(v) == ObjectType::kNetwork;
  }
  return false;
}

}  // namespace strata
