// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/grouping.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace strata::mpix {
namespace {

struct Pair {
  double bytes;
  int a, b;
};

// The common shape of all vertices of one depth.
struct Shape {
  int children = 0, child_depth = 0;
  int own = 0;  // processes on the vertex itself
  bool operator==(const Shape&) const = default;
};

// How many groups of one level form a group of the next, from the leaves to below the root; empty if vertices of the
// same depth differ.
std::optional<std::vector<int>> group_sizes(const PlaceTree& tree, const Seats& seats) {
  std::map<int, Shape> shapes;  // by depth
  for (size_t v = 0; v < tree.parent.size(); ++v) {
    const int vertex = static_cast<int>(v);
    const std::span<const int> children = seats.children(vertex);
    const Shape shape{.children = static_cast<int>(children.size()),
                      .child_depth = children.empty() ? 0 : tree.depth[children.front()],
                      .own = seats.own(vertex)};
    if (shape.children > 0 && shape.own > 0) return std::nullopt;
    for (int child : children) {
      if (tree.depth[child] != shape.child_depth) return std::nullopt;
    }
    if (shapes.emplace(tree.depth[v], shape).first->second != shape) return std::nullopt;
  }
  std::vector<int> sizes;
  for (auto level = shapes.rbegin(); level != shapes.rend(); ++level) {
    sizes.push_back(level->second.children + level->second.own);
  }
  sizes.pop_back();  // the root's group contains all the rest
  return sizes;
}

// Repeatedly adds to `group` the free vertex that exchanges most bytes with it, until it has `size` vertices, or until
// no free vertex has bytes to it.
void grow(const AffinityGraph& graph, size_t size, std::vector<bool>& free, std::vector<int>& group) {
  std::map<int, double> talks;  // bytes exchanged with the group
  const auto listen = [&](int v) {
    for (size_t i = 0; i < graph.peers(v).size(); ++i) {
      if (free[graph.peers(v)[i]]) talks[graph.peers(v)[i]] += graph.bytes_of(v)[i];
    }
  };
  for (int v : group) listen(v);
  while (group.size() < size && !talks.empty()) {
    const auto most =
        std::max_element(talks.begin(), talks.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const int v = most->first;
    talks.erase(most);
    free[v] = false;
    group.push_back(v);
    listen(v);
  }
}

// Returns the vertices in groups of `size`, one group after another.
std::vector<int> in_groups(const AffinityGraph& graph, int size) {
  std::vector<Pair> pairs;
  for (int a = 0; a < graph.size(); ++a) {
    for (size_t i = 0; i < graph.peers(a).size(); ++i) {
      if (graph.peers(a)[i] > a) pairs.push_back({graph.bytes_of(a)[i], a, graph.peers(a)[i]});
    }
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& x, const Pair& y) { return std::tie(y.bytes, x.a, x.b) < std::tie(x.bytes, y.a, y.b); });
  std::vector<bool> free(graph.size(), true);
  std::vector<int> whole, rest;  // complete groups; members of incomplete ones
  for (const Pair& pair : pairs) {
    if (!free[pair.a] || !free[pair.b]) continue;
    std::vector<int> group = {pair.a, pair.b};
    free[pair.a] = free[pair.b] = false;
    grow(graph, static_cast<size_t>(size), free, group);
    std::vector<int>& to = group.size() == static_cast<size_t>(size) ? whole : rest;
    to.insert(to.end(), group.begin(), group.end());
  }
  whole.insert(whole.end(), rest.begin(), rest.end());
  for (int v = 0; v < graph.size(); ++v) {
    if (free[v]) whole.push_back(v);
  }
  return whole;
}

}  // namespace

std::optional<std::vector<int>> grouped(const AffinityGraph& graph, const PlaceTree& tree, const Seats& seats) {
  const std::optional<std::vector<int>> sizes = group_sizes(tree, seats);
  if (!sizes) return std::nullopt;
  std::vector<std::vector<int>> members(graph.size());  // ranks by vertex of `level`
  for (int rank = 0; rank < graph.size(); ++rank) members[rank] = {rank};
  AffinityGraph level = graph;
  for (int size : *sizes) {
    if (size == 1) continue;
    const std::vector<int> order = in_groups(level, size);
    std::vector<int> group(order.size());
    std::vector<std::vector<int>> together(order.size() / static_cast<size_t>(size));
    for (size_t i = 0; i < order.size(); ++i) {
      group[order[i]] = static_cast<int>(i) / size;
      std::vector<int>& ranks = together[i / static_cast<size_t>(size)];
      ranks.insert(ranks.end(), members[order[i]].begin(), members[order[i]].end());
    }
    level = contracted(level, group, static_cast<int>(together.size()));
    members = std::move(together);
  }
  std::vector<int> process(graph.size());
  int seat = 0;
  for (const std::vector<int>& ranks : members) {
    for (int rank : ranks) process[rank] = seats.process(seat++);
  }
  return process;
}

}  // namespace strata::mpix
