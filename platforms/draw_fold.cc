// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/draw_fold.h"

#include <map>
#include <utility>

namespace strata {
namespace {

bool looks_alike(const NodeTree& a, const NodeTree& b) {
  if (&a == &b) return true;
  const auto& x = a.objects();
  const auto& y = b.objects();
  if (x.size() != y.size()) return false;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i].name != y[i].name || x[i].parent != y[i].parent || x[i].logical_index != y[i].logical_index ||
        x[i].os_index != y[i].os_index || x[i].note != y[i].note || !(x[i].cpuset == y[i].cpuset)) {
      return false;
    }
  }
  return true;
}

}  // namespace

Folding::Folding(const Topology& t)
    : topology_(t),
      shape_(t.num_vertices(), -1),
      network_index_(t.num_vertices(), -1),
      num_nodes_(t.num_vertices(), 0),
      first_pu_(t.num_vertices(), 0) {
  std::vector<const NodeTree*> node_shapes;
  std::map<const NodeTree*, int> known;  // most nodes share one tree, so objects are compared only for new trees
  for (int node = 0; node < t.num_nodes(); ++node) {
    const NodeTree& tree = t.node_tree(node);
    const auto [entry, is_new] = known.emplace(&tree, 0);
    if (is_new) {
      while (entry->second < static_cast<int>(node_shapes.size()) && !looks_alike(*node_shapes[entry->second], tree)) {
        ++entry->second;
      }
      if (entry->second == static_cast<int>(node_shapes.size())) node_shapes.push_back(&tree);
    }
    shape_[t.node_vertex(node)] = entry->second;
    num_nodes_[t.node_vertex(node)] = 1;
  }
  // Network vertices come after their children. Their shapes are numbered after those of nodes.
  std::map<std::pair<std::string, std::vector<int>>, int> network_shapes;
  for (int v = t.num_vertices() - 1; v >= 0; --v) {
    if (t.type(v) != ObjectType::kNetwork) continue;
    std::vector<int> below;
    for (int c : t.children(v)) {
      below.push_back(shape_[c]);
      num_nodes_[v] += num_nodes_[c];
    }
    const int next = static_cast<int>(node_shapes.size() + network_shapes.size());
    shape_[v] = network_shapes.emplace(std::pair(t.name(v), std::move(below)), next).first->second;
  }
  std::map<std::string, int> seen;
  int pus = 0;
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (t.type(v) == ObjectType::kNetwork) network_index_[v] = seen[t.name(v)]++;
    if (t.type(v) == ObjectType::kMachine) pus = 0;
    first_pu_[v] = pus;
    if (t.object(v) != nullptr && t.children(v).empty()) pus += t.object(v)->cpuset.count();
  }
}

std::vector<Run> Folding::runs(int v) const {
  std::vector<Run> result;
  for (int c : topology_.children(v)) {
    if (!result.empty() && shape_[c] == shape_[result.back().first]) {
      ++result.back().count;
    } else {
      result.push_back({c, 1});
    }
  }
  return result;
}

std::string counted(int n, const std::string& noun) { return std::to_string(n) + " " + noun + (n == 1 ? "" : "s"); }

std::string node_range(int first, int count) {
  if (count == 1) return "node " + std::to_string(first);
  return "nodes " + std::to_string(first) + "-" + std::to_string(first + count - 1);
}

}  // namespace strata
