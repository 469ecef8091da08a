#include "models/contention.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace strata::models {
namespace {

// What is smaller is rounding: a ratio of demand to capacity above 1, and an overlap as a part of the earlier flow's
// time (one message may begin on a link when another ends on it, the two times computed along different paths).
constexpr double kRounding = 1e-9;

constexpr int kDirections = 3;

struct Event {
  double time_s;
  bool begins;
  int transfer;
  // At one time flows end before others begin; then in the order of the transfers, so that the answer is one.
  friend bool operator<(const Event& a, const Event& b) {
    return std::tie(a.time_s, a.begins, a.transfer) < std::tie(b.time_s, b.begins, b.transfer);
  }
};

struct Load {
  int messages = 0;
  double demand_bytes_per_s = 0;
};

std::string gigabytes_per_s(double bytes_per_s) {
  const double gb = bytes_per_s / 1e9;
  return gb < 1000 ? fmt::format("{:.3g} GB/s", gb) : fmt::format("{:.0f} GB/s", gb);
}

// "node 3", "core 5 of node 3" (its cores in logical order, whatever in its chain the link hangs on), "L3 1 of node 0";
// for a switch its name and which of that name it is, in the order of the tree.
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

std::optional<Contention> find_contention(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                          const std::vector<Transfer>& transfers) {
  using Direction = Contention::Direction;
  const Topology& t = costs.topology();
  std::vector<Event> events;
  events.reserve(2 * transfers.size());
  for (int i = 0; i < static_cast<int>(transfers.size()); ++i) {
    const Transfer& x = transfers[i];
    events.push_back({x.flow_s, true, i});
    events.push_back({x.arrival_s - kRounding * (x.arrival_s - x.flow_s), false, i});
  }
  std::sort(events.begin(), events.end());

  std::vector<Load> loads(static_cast<size_t>(t.num_vertices()) * kDirections);
  std::optional<Contention> worst;
  double worst_ratio = 1 + kRounding;
  for (const Event& e : events) {
    const int from = ranks[transfers[e.transfer].from].core;
    const int to = ranks[transfers[e.transfer].to].core;
    const double demand = costs.between(from, to).bandwidth_bytes_per_s;
    const auto visit = [&](int v, Direction direction, double capacity) {
      Load& load = loads[static_cast<size_t>(v) * kDirections + static_cast<int>(direction)];
      load.messages += e.begins ? 1 : -1;
      // A link that falls idle starts again from zero, so that rounding does not pile up.
      load.demand_bytes_per_s = load.messages == 0 ? 0 : load.demand_bytes_per_s + (e.begins ? demand : -demand);
      if (!e.begins || load.demand_bytes_per_s <= worst_ratio * capacity) return;
      // The next one must be worse by more than rounding: of equals the first is told.
      worst_ratio = load.demand_bytes_per_s / capacity * (1 + kRounding);
      worst = Contention{.vertex = v,
                         .direction = direction,
                         .messages = load.messages,
                         .demand_bytes_per_s = load.demand_bytes_per_s,
                         .capacity_bytes_per_s = capacity};
    };
    if (from == to) {
      visit(from, Direction::kLoopback, costs.machine().copy_bandwidth.si);
      continue;
    }
    const int meeting = t.lowest_common_ancestor(from, to);
    const auto climb = [&](int core, Direction direction) {
      for (int v = core; v != meeting; v = t.parent(v)) {
        if (costs.link_bandwidth(v) > 0) visit(v, direction, costs.link_bandwidth(v));
      }
    };
    climb(from, Direction::kUp);
    climb(to, Direction::kDown);
  }
  return worst;
}

std::string describe(const Contention& c, const Topology& topology) {
  const char* link = c.direction == Contention::Direction::kUp     ? "up link"
                     : c.direction == Contention::Direction::kDown ? "down link"
                                                                   : "loopback";
  return fmt::format("contention: {} messages at once on the {} of {} ask for {} of {}", c.messages, link,
                     describe_vertex(topology, c.vertex), gigabytes_per_s(c.demand_bytes_per_s),
                     gigabytes_per_s(c.capacity_bytes_per_s));
}

}  // namespace strata::models
