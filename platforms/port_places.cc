// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/port_places.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata {
namespace {

bool is_below(const Topology& t, int core, int vertex) {
  return t.first_core(vertex) <= core && core < t.first_core(vertex) + t.num_cores(vertex);
}

}  // namespace

int find_port_object(const NodeTree& node, const std::string& at) {
  const std::vector<NodeObject>& objects = node.objects();
  const auto has_cores = [&](const NodeObject& o) {
    return std::any_of(node.cores().begin(), node.cores().end(),
                       [&](int core) { return o.cpuset.includes(objects[core].cpuset); });
  };
  for (size_t i = 0; i < objects.size(); ++i) {
    const NodeObject& o = objects[i];
    if (at != fmt::format("{} {}", o.name, o.logical_index) && !(o.type == ObjectType::kMachine && at == o.name))
      continue;
    return has_cores(o) ? static_cast<int>(i) : -1;
  }
  return -1;
}

std::string port_name(const NetworkPorts& ports, int port) {
  const int per_node = static_cast<int>(ports.at.size());
  return fmt::format("port {} of node {}", port % per_node, port / per_node);
}

std::optional<MissingPort> find_missing_port(const Topology& t, const NetworkPorts& ports) {
  for (int port = 0; port < static_cast<int>(ports.at.size()); ++port) {
    for (int node = 0; node < t.num_nodes(); ++node) {
      if (node > 0 && &t.node_tree(node) == &t.node_tree(node - 1)) continue;
      if (find_port_object(t.node_tree(node), ports.at[port]) < 0) return MissingPort{port, node};
    }
  }
  return {};
}

double most_through_ports(const NetworkPorts& ports) {
  return ports.bandwidth.si * (ports.stripe_from ? static_cast<double>(ports.at.size()) : 1);
}

PortPlaces::PortPlaces(const Machine& machine)
    : machine_(machine), per_node_(static_cast<int>(machine.ports->at.size())) {
  const Topology& t = *machine.topology;
  std::vector<int> objects;  // of the ports of a node
  for (int node = 0; node < t.num_nodes(); ++node) {
    if (node == 0 || &t.node_tree(node) != &t.node_tree(node - 1)) {
      objects.clear();
      for (const std::string& at : machine.ports->at) objects.push_back(find_port_object(t.node_tree(node), at));
    }
    // The node's objects are vertices in the same order.
    for (const int object : objects) vertex_.push_back(t.node_vertex(node) + object);
  }
  std::vector<int> nearest;
  for (int core = 0; core < static_cast<int>(t.cores().size()); ++core) {
    const int vertex = t.cores()[core], node = t.node(vertex), first = node * per_node_;
    const int in_node = core - t.first_core(t.node_vertex(node));
    int chosen = in_node % per_node_;
    if (machine.ports->rule == PortRule::kNearest) {
      nearest.clear();
      int deepest = -1;
      for (int p = 0; p < per_node_; ++p) {
        const int depth = t.depth(t.lowest_common_ancestor(vertex, vertex_[first + p]));
        if (depth > deepest) nearest.clear();
        if (depth >= deepest) nearest.push_back(p);
        deepest = std::max(deepest, depth);
      }
      chosen = nearest[in_node % nearest.size()];
    }
    choice_.push_back({first + chosen, 1, !is_below(t, core, vertex_[first + chosen])});
    const auto begin = vertex_.begin() + first;
    far_of_one_.push_back(!std::all_of(begin, begin + per_node_, [&](int v) { return is_below(t, core, v); }));
  }
}

PortPlaces::Choice PortPlaces::of(int core, double payload) const {
  const Choice& one = choice_[core];
  const std::optional<Figure>& stripe_from = machine_.ports->stripe_from;
  if (!stripe_from || payload < stripe_from->si) return one;
  return {one.first - one.first % per_node_, per_node_, far_of_one_[core]};
}

}  // namespace strata
