// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/tree_along.h"

#include <cstdint>
#include <map>
#include <utility>

namespace strata::mpix {
namespace {

struct Vertex {
  std::map<std::pair<int, std::uint64_t>, int> children;  // by kind and instance; the order is relevant
  bool held = false;                                      // whether a process is here
};

enum Kind { kInside, kSwitch, kNode };

// All vertices on the paths, the root first.
struct Forest {
  std::vector<Vertex> vertices = std::vector<Vertex>(1);
  std::map<std::uint64_t, std::uint64_t> nodes;  // numbers of nodes in the order of their first processes

  int below(int v, Kind kind, std::uint64_t instance) {
    const auto [child, is_new] =
        vertices[v].children.emplace(std::pair(kind, instance), static_cast<int>(vertices.size()));
    const int found = child->second;
    if (is_new) vertices.emplace_back();
    return found;
  }

  int node_of(const Path& path) { return static_cast<int>(nodes.emplace(path.node, nodes.size()).first->second); }

  int end_of(const Path& path) {
    int v = 0;
    for (const Holder& h : path.network) v = below(v, kSwitch, static_cast<std::uint64_t>(h.instance));
    v = below(v, kNode, static_cast<std::uint64_t>(node_of(path)));
    for (const Holder& h : path.inside) v = below(v, kInside, static_cast<std::uint64_t>(h.instance));
    return v;
  }
};

}  // namespace

PlaceTree tree_along(const std::vector<Path>& paths) {
  Forest all;
  std::vector<int> end;  // by rank
  for (const Path& p : paths) {
    end.push_back(all.end_of(p));
    all.vertices[end.back()].held = true;
  }
  struct Visit {
    int vertex, parent, depth;
  };
  PlaceTree tree;
  std::vector<int> number(all.vertices.size(), -1);  // number in `tree`
  std::vector<Visit> to_visit = {{0, -1, 0}};
  while (!to_visit.empty()) {
    auto [v, parent, depth] = to_visit.back();
    to_visit.pop_back();
    const Vertex& vertex = all.vertices[v];
    if (vertex.held || vertex.children.size() > 1) {
      number[v] = static_cast<int>(tree.parent.size());
      tree.parent.push_back(parent);
      tree.depth.push_back(depth);
      parent = number[v];
    }
    for (auto child = vertex.children.rbegin(); child != vertex.children.rend(); ++child) {
      to_visit.push_back({child->second, parent, depth + 1});
    }
  }
  for (size_t r = 0; r < paths.size(); ++r) {
    tree.place.push_back(number[end[r]]);
    tree.node.push_back(all.node_of(paths[r]));
  }
  return tree;
}

}  // namespace strata::mpix
