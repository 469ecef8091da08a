// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/machine_paths.h"

#include <algorithm>
#include <map>

#include "platforms/fabric.h"

namespace strata::flow {

namespace {

bool states_receive_overhead(const LevelCosts& c) {
  return c.receive_overhead ||
         std::any_of(c.segments.begin(), c.segments.end(), [](const Segment& s) { return bool(s.receive_overhead); });
}

}  // namespace

Paths::Paths(const Machine& machine, Flows& flows)
    : machine_(machine),
      tree_(machine),
      has_receive_overheads_(std::any_of(machine.levels.begin(), machine.levels.end(), states_receive_overhead)) {
  const Topology& t = *machine.topology;
  for (int l = 0; l < tree_.num_links(); ++l) {
    constexpr double kNobodyTakesIt = 1;  // B/s
    const double bandwidth = tree_.link_bandwidth(l);
    flows.add_link(bandwidth == 0 ? kNobodyTakesIt : bandwidth);
  }
  for (const int vertex : t.cores()) {
    loopback_latency_.push_back(machine.loopback_latency(vertex).value);
    loopback_bandwidth_.push_back(machine.loopback_bandwidth(vertex).value);
    flows.add_link(loopback_bandwidth_.back());
  }
  if (machine.memory) memory_ = std::make_unique<Memory>(machine, flows);
  duplex_ = std::make_unique<DuplexLinks>(machine, tree_, flows);
  if (memory_ == nullptr && std::any_of(machine.levels.begin(), machine.levels.end(), states_copies)) {
    for (int core = 0; core < tree_.num_cores(); ++core) {
      const int link = flows.add_link(machine.copy_bandwidth.si);
      if (core == 0) first_copying_link_ = link;
    }
  }
  add_gates(flows);
  if (machine.fabric && machine.fabric->routing == Routing::kAdaptive) {
    detours_ = std::make_unique<Detours>(tree_, machine.fabric->fabric->num_routers(), flows.count_queued());
  }
}

// A gate for each network card or port, if the machine has levels with gaps.
void Paths::add_gates(Flows& flows) {
  if (std::none_of(machine_.levels.begin(), machine_.levels.end(), [](const LevelCosts& c) { return bool(c.gap); }))
    return;
  std::map<int, int> gates;  // by port, or by card
  for (int core = 0; core < tree_.num_cores(); ++core) {
    const auto [at, first] = gates.try_emplace(tree_.ports() == nullptr ? tree_.card(core) : tree_.port(core), 0);
    if (first) at->second = flows.add_gate();
    gate_.push_back(at->second);
  }
}

void Paths::find(int a, int b, double payload, Path& into, const Spans& spans) {
  into.uses.clear();
  into.gate = -1;
  bool states_copies = false;
  if (a == b) {
    into.latency_s = 0;  // a loopback's whole latency is the sender's overhead, because one core does both
    into.bandwidth = loopback_bandwidth_[a];
    into.uses.push_back({tree_.num_links() + a, 1});
  } else {
    const RouteTree::Way way = find_uses(a, b, payload, into.uses);
    duplex_->add_uses(way.meet, into.uses);
    const LevelCosts& costs = *tree_.stops()[way.meet].costs;
    const MessageFigures figures = figures_of(costs, payload);
    into.latency_s = wire_latency(way, figures);
    into.bandwidth = figures.bandwidth;
    states_copies = figures.states_copies();
    // As parts of a core that could copy at its copy bandwidth.
    if (figures.send_copy > 0) into.uses.push_back({core_link(a), machine_.copy_bandwidth.si / figures.send_copy});
    if (figures.receive_copy > 0)
      into.uses.push_back({core_link(b), machine_.copy_bandwidth.si / figures.receive_copy});
    if (costs.gap) {
      into.gate = gate_[a];
      into.gate_s = costs.gap->si;
    }
  }
  if (memory_ != nullptr) memory_->add_uses(a, b, payload, states_copies, spans, into);
}

RouteTree::Way Paths::find_uses(int a, int b, double payload, std::vector<FairShares::Use>& uses) {
  if (detours_) return detours_->find(a, b, payload, uses);
  const bool is_spread = machine_.fabric && machine_.fabric->routing != Routing::kMinimal;
  if (is_spread || tree_.ports() != nullptr) return tree_.find_uses(a, b, -1, payload, uses);
  way_.clear();
  const RouteTree::Way way = tree_.find_way(a, b, way_);
  for (const int l : way_) uses.push_back({l, 1});
  return way;
}

double Paths::latency(int a, int b) const {
  const double overhead_s = send_overhead(a, b, 0);
  if (a == b) return overhead_s;
  std::vector<int> links;
  const RouteTree::Way way = tree_.find_way(a, b, links);
  const MessageFigures figures = figures_of(*tree_.stops()[way.meet].costs, 0);
  return overhead_s + wire_latency(way, figures) + figures.receive_overhead_s;
}

double Paths::wire_latency(const RouteTree::Way& way, const MessageFigures& figures) const {
  const double hops_s = way.hops == 0 ? 0 : way.hops * machine_.fabric->hop_latency.si;
  const bool is_far = way.far_ends > 0 && machine_.ports->far_latency;
  return figures.wire_s() + hops_s + (is_far ? way.far_ends * machine_.ports->far_latency->si : 0);
}

double Paths::send_overhead(int a, int b, double payload) const {
  return a == b ? loopback_latency_[a] : figures_of(*tree_.stops()[tree_.meet(a, b)].costs, payload).overhead_s;
}

double Paths::receive_overhead_of_level(int a, int b, double payload) const {
  // A loopback's whole latency is the sender's overhead, see find().
  return a == b ? 0 : figures_of(*tree_.stops()[tree_.meet(a, b)].costs, payload).receive_overhead_s;
}

}  // namespace strata::flow
