// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/small_topology.h"

#include <map>
#include <memory>
#include <utility>

namespace strata::check {
namespace {

struct Type {
  ObjectType type;
  std::string name;
};

// The type of an object `depth` levels below its node.
Type type_at(int depth, bool leaf) {
  if (depth == 0) return {ObjectType::kMachine, "Machine"};
  if (leaf) return {ObjectType::kCore, "Core"};
  if (depth == 1) return {ObjectType::kPackage, "Package"};
  if (depth == 2) return {ObjectType::kCache, "L3"};
  if (depth == 3 || depth == 4) return {ObjectType::kGroup, depth == 3 ? "Group0" : "Group1"};
  if (depth == 5) return {ObjectType::kCache, "L2"};
  return {ObjectType::kCache, "L1d"};
}

std::shared_ptr<const NodeTree> node_tree(const SmallMachine& m, int node, const std::vector<std::string>& notes) {
  const int top = m.node_vertex[node];
  int first_pu = 0;
  while (!includes(m.pus[top], Pus{1} << first_pu)) ++first_pu;
  std::vector<NodeObject> objects;
  std::map<std::string, int> seen;
  const auto add = [&](const Type& t, int parent, Pus pus, const std::string& note) {
    Cpuset set;
    for (int pu = first_pu; pu < kMostPus; ++pu) {
      if (includes(pus, Pus{1} << pu)) set.add(pu - first_pu);
    }
    const int index = seen[t.name]++;
    objects.push_back({t.type, t.name, parent, index, index, t.type == ObjectType::kCore, set, 0, note});
  };
  for (int v = top; v < m.size() && m.node[v] == node; ++v) {
    add(type_at(m.depth[v] - m.depth[top], m.is_leaf(v)), v == top ? -1 : m.parent[v] - top, m.pus[v],
        notes.empty() ? "" : notes[v]);
  }
  if (m.is_leaf(top)) add(type_at(1, true), 0, m.pus[top], "");
  return std::make_shared<NodeTree>(std::move(objects));
}

// The part of the machine below a vertex of the network.
NetworkGroup network_below(const SmallMachine& m, int v) {
  NetworkGroup group{.level = v == 0 ? "" : "Switch", .groups = {}, .nodes = 0};
  for (int c = v + 1; c < m.size(); ++c) {
    if (m.parent[c] != v) continue;
    if (m.node[c] < 0) {
      group.groups.push_back(network_below(m, c));
    } else {
      ++group.nodes;
    }
  }
  return group;
}

}  // namespace

SmallTopology small_topology(const SmallMachine& machine, const std::vector<std::string>& notes) {
  std::vector<std::shared_ptr<const NodeTree>> nodes;
  for (int n = 0; n < static_cast<int>(machine.node_vertex.size()); ++n) nodes.push_back(node_tree(machine, n, notes));
  const bool alone = machine.node[0] >= 0;
  const NetworkGroup network = alone ? NetworkGroup{.level = "", .groups = {}, .nodes = 1} : network_below(machine, 0);
  SmallTopology result{Topology(network, std::move(nodes)), {}};
  int next = alone ? 1 : 0;
  for (int v = 0; v < machine.size(); ++v) {
    result.vertex.push_back(next++);
    if (machine.node[v] >= 0 && machine.node_vertex[machine.node[v]] == v && machine.is_leaf(v)) ++next;  // its core
  }
  return result;
}

}  // namespace strata::check
