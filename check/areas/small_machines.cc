// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/small_machines.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace strata::check {
namespace {

// A machine's vertices in preorder, each with the number of its children.
struct Vertex {
  bool network = false;
  int children = 0;
};

void list_preorder(const Shape& s, int network, std::vector<Vertex>& out) {
  out.push_back({network > 0, static_cast<int>(s.children.size())});
  for (const Shape& c : s.children) list_preorder(c, network - 1, out);
}

class Builder {
 public:
  explicit Builder(const std::vector<Vertex>& vertices) : vertices_(vertices) {
    add(-1, -1);
    m_.twin.assign(m_.parent.size(), -1);
    std::vector<int> before(m_.parent.size(), -1);  // by vertex: its latest child
    for (int v = 1; v < m_.size(); ++v) {
      int& last = before[m_.parent[v]];
      if (last >= 0 && same(last, v)) m_.twin[v] = last;
      last = v;
    }
  }

  SmallMachine take() { return std::move(m_); }

 private:
  int add(int parent, int node) {
    const int v = static_cast<int>(m_.parent.size());
    const Vertex here = vertices_[v];
    if (!here.network && node < 0) {
      node = static_cast<int>(m_.node_vertex.size());
      m_.node_vertex.push_back(v);
    }
    m_.parent.push_back(parent);
    m_.depth.push_back(parent < 0 ? 0 : m_.depth[parent] + 1);
    m_.max_depth = std::max(m_.max_depth, m_.depth.back());
    m_.node.push_back(node);
    m_.pus.push_back(here.children == 0 ? Pus{1} << next_pu_++ : 0);
    for (int i = 0; i < here.children; ++i) m_.pus[v] |= m_.pus[add(v, node)];
    return v;
  }

  // Whether the subtrees of two adjacent siblings are equal.
  bool same(int a, int b) const {
    for (int i = 0; a + i < b; ++i) {
      if (b + i >= m_.size() || vertices_[a + i].children != vertices_[b + i].children ||
          vertices_[a + i].network != vertices_[b + i].network) {
        return false;
      }
    }
    return true;
  }

  const std::vector<Vertex>& vertices_;
  SmallMachine m_;
  int next_pu_ = 0;
};

SmallMachine machine_of(const std::vector<Vertex>& vertices) { return Builder(vertices).take(); }

std::vector<std::vector<int>> children_of(const SmallMachine& m) {
  std::vector<std::vector<int>> children(m.size());
  for (int v = 1; v < m.size(); ++v) children[m.parent[v]].push_back(v);
  return children;
}

// Visits every multiset of `least` to `most` trees with `size` vertices in total, the largest trees first. `of` returns
// the trees of a size.
void for_each_forest(const std::function<const std::vector<Shape>&(int)>& of, int size, int least, int most,
                     const std::function<void(const std::vector<Shape>&)>& visit) {
  std::vector<Shape> chosen;
  const std::function<void(int, int, size_t)> choose = [&](int left, int greatest, size_t end) {
    const int count = static_cast<int>(chosen.size());
    if (left == 0 && count >= least) visit(chosen);
    if (left == 0 || count == most) return;
    for (int s = std::min(left, greatest); s >= 1; --s) {
      const std::vector<Shape>& trees = of(s);
      for (size_t i = s == greatest ? std::min(end, trees.size()) : trees.size(); i-- > 0;) {
        chosen.push_back(trees[i]);
        choose(left - s, s, i + 1);
        chosen.pop_back();
      }
    }
  };
  choose(size, size, SIZE_MAX);
}

std::uint64_t mix(std::uint64_t x) {  // the finalizer of splitmix64
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace

SmallMachine small_machine(const Shape& shape, int network) {
  std::vector<Vertex> vertices;
  list_preorder(shape, network, vertices);
  return machine_of(vertices);
}

SmallMachine mirrored(const SmallMachine& machine, std::vector<int>& vertex) {
  const std::vector<std::vector<int>> children = children_of(machine);
  std::vector<Vertex> vertices;
  vertex.resize(machine.size());
  const std::function<void(int)> list = [&](int v) {
    vertex[v] = static_cast<int>(vertices.size());
    vertices.push_back({machine.node[v] < 0, static_cast<int>(children[v].size())});
    for (auto c = children[v].rbegin(); c != children[v].rend(); ++c) list(*c);
  };
  list(0);
  return machine_of(vertices);
}

char letter_of(const SmallMachine& machine, int v) {
  if (machine.node[v] < 0) return 's';
  if (machine.node_vertex[machine.node[v]] == v) return 'm';
  return machine.is_leaf(v) ? 'c' : 'o';
}

std::string text_of(const SmallMachine& machine) {
  std::string text;
  const std::vector<std::vector<int>> children = children_of(machine);
  for (int v = 0; v < machine.size(); ++v) {
    text += letter_of(machine, v);
    if (!children[v].empty()) text += std::to_string(children[v].size());
  }
  return text;
}

SmallMachine read_machine(KeyReader& key) {
  const auto fail = [&](const std::string& what) {
    key.fail(what,
             "a letter a vertex with the number of its children, s (network), m (node), o (object), c (core): "
             "s2m2ccm2cc");
  };
  std::vector<Vertex> vertices;
  int leaves = 0;
  const std::function<void(bool)> read = [&](bool in_node) {
    const char letter = key.next();
    if (letter == '\0' || std::string("smoc").find(letter) == std::string::npos) fail("no vertex");
    if (letter == 's' && in_node) fail("a network inside a node");
    if (letter == 'm' && in_node) fail("a node inside a node");
    if ((letter == 'o' || letter == 'c') && !in_node) fail("an object outside a node");
    key.take(letter);
    int children = 0;
    if (key.next_is_digit()) {
      const std::optional<long> number = key.number(0, kMostPus);
      if (!number) fail("not a number of children from 0 to " + std::to_string(kMostPus));
      children = static_cast<int>(*number);
    }
    if ((letter == 's' || letter == 'o') && children == 0) fail("no children");
    if (letter == 'c' && children > 0) fail("a core with children");
    leaves += children == 0 ? 1 : 0;
    if (leaves > kMostPus) fail("more leaves than " + std::to_string(kMostPus));
    if (vertices.size() == size_t{4} * kMostPus) fail("more vertices than " + std::to_string(4 * kMostPus));
    vertices.push_back({letter == 's', children});
    for (int i = 0, nodes = 0; i < children; ++i) {
      if (letter == 's' && nodes > 0 && key.next() == 's') fail("a switch after a node");
      nodes += letter == 's' && key.next() == 'm' ? 1 : 0;
      read(letter != 's');
    }
  };
  read(false);
  return machine_of(vertices);
}

SmallMachines::SmallMachines(const MachineBounds& bounds) : bounds_(bounds), trees_(bounds.depth + 1) {}

const std::vector<Shape>& SmallMachines::trees(int levels, int size) {
  static const std::vector<Shape> kNone, kLeaf = {Shape{}};
  if (levels < 0 || size <= 0) return kNone;
  if (size == 1) return kLeaf;
  if (levels == 0) return kNone;
  BySize& known = trees_[levels];
  while (static_cast<int>(known.size()) <= size) {
    const int next = static_cast<int>(known.size());
    std::vector<Shape> made;
    if (next >= 2) {
      const auto below = [&](int s) -> const std::vector<Shape>& { return trees(levels - 1, s); };
      for_each_forest(below, next - 1, 1, bounds_.arity,
                      [&](const std::vector<Shape>& forest) { made.push_back({forest}); });
    }
    known.push_back(std::move(made));
  }
  return known[size];
}

std::vector<SmallMachine> SmallMachines::of(int vertices) {
  std::vector<SmallMachine> machines;
  if (vertices > bounds_.vertices) return machines;
  for (const Shape& s : trees(bounds_.depth, vertices)) machines.push_back(small_machine(s, 0));
  if (bounds_.network >= 1 && bounds_.depth >= 1) {
    const auto nodes = [&](int s) -> const std::vector<Shape>& { return trees(bounds_.depth - 1, s); };
    for_each_forest(nodes, vertices - 1, 1, bounds_.nodes,
                    [&](const std::vector<Shape>& forest) { machines.push_back(small_machine({forest}, 1)); });
  }
  if (bounds_.network >= 2 && bounds_.depth >= 2) {
    const auto nodes = [&](int s) -> const std::vector<Shape>& { return trees(bounds_.depth - 2, s); };
    BySize switches(vertices);
    for (int s = 2; s < vertices; ++s) {
      for_each_forest(nodes, s - 1, 1, bounds_.nodes,
                      [&](const std::vector<Shape>& forest) { switches[s].push_back({forest}); });
    }
    const auto of_size = [&](int s) -> const std::vector<Shape>& { return switches[s]; };
    for_each_forest(of_size, vertices - 1, 1, bounds_.nodes, [&](const std::vector<Shape>& forest) {
      size_t count = 0;
      for (const Shape& s : forest) count += s.children.size();
      if (static_cast<int>(count) <= bounds_.nodes) machines.push_back(small_machine({forest}, 2));
    });
  }
  return machines;
}

long orders_of(const SmallMachine& machine) {
  long orders = 1;
  std::vector<int> children(machine.size(), 0), alike(machine.size(), 0);
  for (int v = 1; v < machine.size(); ++v) {
    // Of n children, k are equal: n! / k! orders, computed factor by factor for each vertex.
    alike[v] = machine.twin[v] < 0 ? 1 : alike[machine.twin[v]] + 1;
    orders = orders * ++children[machine.parent[v]] / alike[v];
  }
  return orders;
}

bool for_each_binding(const SmallMachine& machine, int ranks,
                      const std::function<bool(const std::vector<int>&)>& visit) {
  std::vector<int> places;
  for (int v = 0; v < machine.size(); ++v) {
    if (machine.is_place(v)) places.push_back(v);
  }
  std::vector<int> bound(ranks), held(machine.size(), 0);  // held: number of ranks at or below each vertex
  const auto may_enter = [&](int v) {
    for (; v >= 0; v = machine.parent[v]) {
      if (held[v] == 0 && machine.twin[v] >= 0 && held[machine.twin[v]] == 0) return false;
    }
    return true;
  };
  const auto hold = [&](int v, int change) {
    for (; v >= 0; v = machine.parent[v]) held[v] += change;
  };
  const std::function<bool(int)> put = [&](int rank) {
    if (rank == ranks) return visit(bound);
    for (int v : places) {
      if (!may_enter(v)) continue;
      bound[rank] = v;
      hold(v, 1);
      const bool more = put(rank + 1);
      hold(v, -1);
      if (!more) return false;
    }
    return true;
  };
  return put(0);
}

std::uint64_t fingerprint(const SmallMachine& machine, const std::vector<Pus>& bindings) {
  // A sum does not depend on the order of its terms. A leaf is labelled with the ranks that are bound to it.
  std::vector<std::uint64_t> below(machine.size(), 0);
  for (int v = machine.size() - 1; v >= 0; --v) {
    std::uint64_t own = machine.node[v] < 0 ? 1 : 2;
    if (machine.is_leaf(v)) {
      for (size_t r = 0; r < bindings.size(); ++r) {
        if (includes(bindings[r], machine.pus[v])) own += std::uint64_t{4} << r;
      }
      own = mix(own);
    }
    const std::uint64_t here = mix(below[v] + own);
    if (v == 0) return mix(here + bindings.size());
    below[machine.parent[v]] += here;
  }
  return 0;
}

}  // namespace strata::check
