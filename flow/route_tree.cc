// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/route_tree.h"

#include <algorithm>

#include "platforms/fabric_ways.h"

namespace strata::flow {

RouteTree::RouteTree(const Machine& machine)
    : topology_(*machine.topology), fabric_(machine.fabric ? &*machine.fabric : nullptr) {
  const Topology& t = topology_;
  num_cores_ = static_cast<int>(t.cores().size());
  for (int vertex : t.cores()) stops_.push_back({-1, 0, vertex, nullptr, 0});
  std::vector<int> stop_of(t.num_vertices(), -1);
  for (int core = 0; core < num_cores_; ++core) stop_of[t.cores()[core]] = core;
  for (int v = 0; v < t.num_vertices(); ++v) {
    int with_cores = 0;
    for (int c : t.children(v)) with_cores += t.num_cores(c) > 0 ? 1 : 0;
    if (with_cores < 2) continue;
    stop_of[v] = static_cast<int>(stops_.size());
    stops_.push_back({-1, 0, v, machine.costs_at(v), 0});
  }
  const auto attach = [&](int s) {
    for (int v = t.parent(stops_[s].vertex); v >= 0; v = t.parent(v)) {
      if (stop_of[v] < 0) continue;
      stops_[s].up = stop_of[v];
      stops_[s].depth = stops_[stop_of[v]].depth + 1;
      if (!machine.is_in_fabric(stops_[s].vertex)) {
        stops_[s].link_bandwidth = stops_[stop_of[v]].costs->link_bandwidth.si;
      }
      return;
    }
  };
  // Branches first. They are in preorder, so each is attached before those below it.
  for (int s = num_cores_; s < static_cast<int>(stops_.size()); ++s) attach(s);
  for (int s = 0; s < num_cores_; ++s) attach(s);
  if (machine.ports) {
    ports_.emplace(machine);
    port_bandwidth_ = machine.ports->bandwidth.si;
    for (int port = 0; port < ports_->count(); ++port) {
      // Down the chain of vertices with one child to the stop that it belongs to.
      int v = ports_->vertex(port);
      while (stop_of[v] < 0) {
        const auto children = t.children(v);
        v = *std::find_if(children.begin(), children.end(), [&](int c) { return t.num_cores(c) > 0; });
      }
      port_stop_.push_back(stop_of[v]);
    }
  }
  first_fabric_link_ = first_port_link() + 2 * static_cast<int>(port_stop_.size());
  num_fabric_links_ = fabric_ == nullptr ? 0 : fabric_->fabric->num_links();
  if (fabric_ == nullptr) return;
  for (int vertex : t.cores()) router_.push_back(fabric_->router_of(t.node(vertex)));
}

int RouteTree::meet(int a, int b) const {
  while (a != b) {
    if (stops_[a].depth >= stops_[b].depth) {
      a = stops_[a].up;
    } else {
      b = stops_[b].up;
    }
  }
  return a;
}

namespace {

void add_part(std::vector<FairShares::Use>& uses, size_t first, int link, double part) {
  for (size_t i = first; i < uses.size(); ++i) {
    if (uses[i].link != link) continue;
    uses[i].weight += part;
    return;
  }
  uses.push_back({link, part});
}

// A route for code that asks for one: of a message that is not divided.
void add_part(std::vector<int>& links, size_t, int link, double) { links.push_back(link); }

}  // namespace

// Appends the links between a core and the network, through the ports of its node: outward, or from the network inward.
// Returns whether the core is far from a port.
template <class Link>
bool RouteTree::pass_ports(int core, int top, double payload, bool outward, std::vector<Link>& links) const {
  const PortPlaces::Choice choice = ports_->of(core, payload);
  const size_t first = links.size();
  // The same links in both directions: that of the same stop or port the other way.
  const auto add = [&](int link, double part) { add_part(links, first, outward ? link : link ^ 1, part); };
  const double part = 1.0 / choice.count;
  for (int port = choice.first; port < choice.first + choice.count; ++port) {
    const int stop = port_stop_[port], meeting = meet(core, stop);
    for (int s = core; s != meeting; s = stops_[s].up) add(up_link(s), part);
    for (int s = stop; s != meeting; s = stops_[s].up) add(down_link(s), part);
    add(first_port_link() + 2 * port, part);
  }
  for (int s = card(core); s != top && stops_[s].link_bandwidth > 0; s = stops_[s].up) add(up_link(s), 1);
  if (!outward) std::reverse(links.begin() + static_cast<long>(first), links.end());
  return choice.far;
}

// Appends the links up, those that `across` appends (it returns their hops), and the links down.
template <class Link, class Across>
RouteTree::Way RouteTree::walk(int a, int b, double payload, std::vector<Link>& links, const Across& across) const {
  const int top = meet(a, b);
  if (ports_ && topology_.node(stops_[top].vertex) < 0) {
    const bool out_far = pass_ports(a, top, payload, true, links);
    const double hops = fabric_ == nullptr ? 0 : across();
    const bool in_far = pass_ports(b, top, payload, false, links);
    return {top, hops, int(out_far) + int(in_far)};
  }
  for (int s = a; s != top && stops_[s].link_bandwidth > 0; s = stops_[s].up) links.push_back({up_link(s)});
  const double hops = fabric_ == nullptr ? 0 : across();
  const auto down = static_cast<long>(links.size());
  for (int s = b; s != top && stops_[s].link_bandwidth > 0; s = stops_[s].up) links.push_back({down_link(s)});
  std::reverse(links.begin() + down, links.end());
  return {top, hops};
}

RouteTree::Way RouteTree::find_way(int a, int b, std::vector<int>& links) const {
  return walk(a, b, 0, links, [&] {
    const size_t first = links.size();
    const int seat = fabric_->seat_of(topology_.node(topology_.cores()[b]));
    fabric_->fabric->route(router_[a], router_[b], seat, links);
    for (size_t i = first; i < links.size(); ++i) links[i] += first_fabric_link_;
    return static_cast<double>(links.size() - first);
  });
}

RouteTree::Way RouteTree::find_uses(int a, int b, int via, double payload, std::vector<FairShares::Use>& uses) const {
  return walk(a, b, payload, uses, [&] {
    const int from = topology_.node(topology_.cores()[a]), to = topology_.node(topology_.cores()[b]);
    parts_.clear();
    if (via < 0) {
      find_ways(*fabric_, from, to, parts_);
    } else {
      find_ways_around(*fabric_, from, via, to, parts_);
    }
    double hops = 0;
    for (const auto& [link, part] : parts_) {
      uses.push_back({first_fabric_link_ + link, part});
      hops += part;
    }
    return hops;
  });
}

int RouteTree::card(int core) const {
  int s = core;
  while (stops_[s].up >= 0 && topology_.node(stops_[stops_[s].up].vertex) >= 0) s = stops_[s].up;
  return stops_[s].up < 0 ? -1 : s;
}

double RouteTree::link_bandwidth(int link) const {
  if (link >= first_fabric_link_) return fabric_->bandwidth(link - first_fabric_link_);
  return link < first_port_link() ? stops_[link / 2].link_bandwidth : port_bandwidth_;
}

}  // namespace strata::flow
