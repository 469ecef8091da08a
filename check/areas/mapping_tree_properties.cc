// SPDX-License-Identifier: LGPL-2.1-only
// Properties of the pattern, the place tree and its distances.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "check/areas/mapping_judging.h"

namespace strata::check {
namespace {

using namespace mapping;
using Case = MappingCase;
using Outcome = MappingOutcome;

Judgement symmetric(const Case& c, const Outcome& o) {
  std::vector<Flow> slow;
  const std::map<std::pair<int, int>, double> bytes = exchanged_bytes(c);
  for (int a = 0; a < c.ranks(); ++a) {
    for (int b = 0; b < c.ranks(); ++b) {
      const auto it = bytes.find(std::minmax(a, b));
      if (a != b && it != bytes.end()) slow.push_back({a, b, it->second});
    }
  }
  const bool same =
      std::equal(slow.begin(), slow.end(), o.both.begin(), o.both.end(),
                 [](const auto& x, const auto& y) { return x.from == y.from && x.to == y.to && x.bytes == y.bytes; });
  return Judgement::require(same, "symmetric() is not what pairs exchange both ways, without selves, in order");
}

// The machine reduced to vertices with processes, and vertices at which paths to several of them branch.
mpix::PlaceTree slow_place_tree(const Case& c) {
  const SmallMachine& m = c.machine;
  std::vector<int> own(m.size(), 0), below(m.size(), 0), branches(m.size(), 0);
  for (int v : c.place) ++own[v];
  for (int v = m.size() - 1; v >= 0; --v) {
    below[v] += own[v];
    if (v == 0 || below[v] == 0) continue;
    below[m.parent[v]] += below[v];
    ++branches[m.parent[v]];
  }
  mpix::PlaceTree tree;
  std::vector<int> number(m.size(), -1);
  const int above = m.node[0] >= 0 ? 1 : 0;  // the network's root above a single node
  for (int v = 0; v < m.size(); ++v) {
    if (own[v] == 0 && branches[v] < 2) continue;
    int up = m.parent[v];
    while (up >= 0 && number[up] < 0) up = m.parent[up];
    number[v] = static_cast<int>(tree.parent.size());
    tree.parent.push_back(up < 0 ? -1 : number[up]);
    tree.depth.push_back(m.depth[v] + above);
  }
  for (int v : c.place) {
    tree.place.push_back(number[v]);
    tree.node.push_back(m.node[v]);
  }
  return tree;
}

Judgement place_tree(const Case& c, const Outcome& o) {
  const mpix::PlaceTree slow = slow_place_tree(c);
  const auto differ = [](const char* what, const std::vector<int>& found, const std::vector<int>& right) {
    return Judgement::violated(fmt::format("{}: {}, by hand {}", what, text_of(found), text_of(right)));
  };
  if (o.tree.parent != slow.parent) return differ("parents", o.tree.parent, slow.parent);
  if (o.tree.depth != slow.depth) return differ("depths", o.tree.depth, slow.depth);
  if (o.tree.place != slow.place) return differ("places", o.tree.place, slow.place);
  if (o.tree.node != slow.node) return differ("nodes", o.tree.node, slow.node);
  return Judgement::holds();
}

// The distance by walking up step by step; counts edges of the machine.
int slow_distance(const mpix::PlaceTree& tree, int a, int b) {
  int edges = 0;
  while (a != b) {
    int& lower = tree.depth[a] >= tree.depth[b] ? a : b;
    edges += tree.depth[lower] - tree.depth[tree.parent[lower]];
    lower = tree.parent[lower];
  }
  return edges;
}

Judgement same_distances(const Outcome& o, const std::vector<std::vector<int>>& found) {
  const int vertices = static_cast<int>(o.tree.parent.size());
  for (int a = 0; a < vertices; ++a) {
    for (int b = 0; b < vertices; ++b) {
      const int walked = slow_distance(o.tree, a, b);
      if (found[a][b] != walked)
        return Judgement::violated(
            fmt::format("between vertices {} and {} of the place tree: {}, walked {}", a, b, found[a][b], walked));
    }
  }
  return Judgement::holds();
}

Judgement distance(const Case&, const Outcome& o) { return same_distances(o, o.distance); }

Judgement deep_distance(const Case&, const Outcome& o) {
  const int root = o.tree.depth.front() + kSpine + 1;  // its depth
  std::vector<int> walked = {root};
  for (int level = 1; level <= kSpine; ++level) {
    walked.push_back(1 + root - (level - 1));  // a leaf, whose path first goes to its parent
    walked.push_back(root - level);
  }
  if (o.above != walked)
    return Judgement::violated(
        fmt::format("from the way to the root of the place tree: {}, walked {}", text_of(o.above), text_of(walked)));
  return same_distances(o, o.deep);
}

Judgement seats(const Case& c, const Outcome& o) {
  std::vector<std::pair<int, int>> order;  // place, process
  for (int r = 0; r < c.ranks(); ++r) order.emplace_back(o.tree.place[r], r);
  std::sort(order.begin(), order.end());
  for (size_t s = 0; s < order.size(); ++s) {
    if (o.seats.size() != order.size() || o.seats[s] != order[s].second)
      return Judgement::violated(fmt::format("processes by seat: {}", text_of(o.seats)));
  }
  const int vertices = static_cast<int>(o.tree.parent.size());
  for (int v = 0; v < vertices; ++v) {
    const auto is_below = [&](int vertex) {
      while (vertex > v) vertex = o.tree.parent[vertex];
      return vertex == v;
    };
    const SeatRange& range = o.ranges[v];
    std::set<int> in_range, below;
    for (int s = range.first; s < range.end; ++s) in_range.insert(o.seats[s]);
    int own = 0;
    for (int r = 0; r < c.ranks(); ++r) {
      if (is_below(o.tree.place[r])) below.insert(r);
      own += o.tree.place[r] == v ? 1 : 0;
    }
    std::vector<int> children;
    for (int w = 1; w < vertices; ++w) {
      if (o.tree.parent[w] == v) children.push_back(w);
    }
    if (in_range != below || range.own != own || range.children != children)
      return Judgement::violated(fmt::format("vertex {}: seats {} to {}, {} its own, children {}", v, range.first,
                                             range.end, range.own, text_of(range.children)));
  }
  return Judgement::holds();
}

}  // namespace

std::vector<MappingProperty> mapping_tree_properties() {
  return {
      {{"symmetric", "symmetric() is what each pair exchanges both ways, in both rows, in order, without selves",
        "records/matrix/pattern.h"},
       symmetric},
      {{"place-tree", "the place tree is the machine without what no process is below and what has but one way on",
        "mpi_ext/reorder/place_tree.h"},
       place_tree},
      {{"distance", "Distance is the number of the machine's edges between two vertices", "mpi_ext/reorder/distance.h"},
       distance},
      {{"deep-distance", "the same in a tree whose paths do not fit into 64 bits", "mpi_ext/reorder/distance.h"},
       deep_distance},
      {{"seats", "seats are in the order of places, a vertex' own before its children's, what is below one a range",
        "mpi_ext/reorder/seats.h"},
       seats},
  };
}

}  // namespace strata::check
