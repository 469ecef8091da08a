// Machines of up to 64 PUs as sets of bits, all small ones of them, and a slow reading of what splitting means on them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace strata::mpix::testing {

using Pus = std::uint64_t;  // a set of PUs of the whole machine, a bit a PU

// ---------------------------------------------------------------------------------------------------- small machines

// An ordered tree without anything else.
struct Shape {
  std::vector<Shape> children;
};

inline int size_of(const Shape& s) {
  int n = 1;
  for (const Shape& c : s.children) n += size_of(c);
  return n;
}

inline std::string text_of(const Shape& s) {
  std::string text = "(";
  for (const Shape& c : s.children) text += text_of(c);
  return text + ")";
}

// A machine of up to 64 PUs: the leaves of its tree. Vertices are in preorder, as everywhere.
struct Small {
  std::vector<int> parent, depth;
  std::vector<Pus> pus;
  std::vector<int> node;  // the node a vertex is in, -1 for the network
  std::vector<Pus> node_pus;
  int max_depth = 0;
  std::string text;

  int add(const Shape& s, int above, int in_node, int& next_pu) {
    const int v = static_cast<int>(parent.size());
    parent.push_back(above);
    depth.push_back(above < 0 ? 0 : depth[above] + 1);
    max_depth = std::max(max_depth, depth[v]);
    pus.push_back(0);
    node.push_back(in_node);
    Pus all = 0;
    for (const Shape& c : s.children) all |= pus[add(c, v, in_node, next_pu)];
    pus[v] = s.children.empty() ? Pus{1} << next_pu++ : all;
    return v;
  }
};

// One node without a network above it.
inline Small node_alone(const Shape& shape) {
  Small m;
  int next_pu = 0;
  m.add(shape, -1, 0, next_pu);
  m.node_pus = {m.pus[0]};
  m.text = text_of(shape);
  return m;
}

// Nodes under one switch.
inline Small cluster(const std::vector<const Shape*>& nodes) {
  Small m;
  int next_pu = 0;
  m.parent = {-1};
  m.depth = {0};
  m.pus = {0};
  m.node = {-1};
  for (size_t i = 0; i < nodes.size(); ++i) {
    const int v = m.add(*nodes[i], 0, static_cast<int>(i), next_pu);
    m.pus[0] |= m.pus[v];
    m.node_pus.push_back(m.pus[v]);
    m.text += text_of(*nodes[i]) + " ";
  }
  return m;
}

// All ordered trees of up to `levels` levels below the root and up to `arity` children a vertex.
inline std::vector<Shape> ordered_trees(int levels, int arity) {
  std::vector<Shape> trees = {Shape{}};
  if (levels == 0) return trees;
  const std::vector<Shape> below = ordered_trees(levels - 1, arity);
  std::vector<Shape> grown = {Shape{}};
  for (int n = 0; n < arity; ++n) {
    std::vector<Shape> longer;
    for (const Shape& s : grown) {
      for (const Shape& c : below) {
        longer.push_back(s);
        longer.back().children.push_back(c);
      }
    }
    trees.insert(trees.end(), longer.begin(), longer.end());
    grown = std::move(longer);
  }
  return trees;
}

// The same, one of all that differ in the order of children only: children never grow in their text.
inline std::vector<Shape> trees_up_to_order(int levels, int arity) {
  std::vector<Shape> result;
  const std::function<bool(const Shape&)> canonical = [&](const Shape& s) {
    for (size_t i = 0; i < s.children.size(); ++i) {
      if (!canonical(s.children[i])) return false;
      if (i > 0 && text_of(s.children[i - 1]) < text_of(s.children[i])) return false;
    }
    return true;
  };
  for (const Shape& s : ordered_trees(levels, arity)) {
    if (canonical(s)) result.push_back(s);
  }
  return result;
}

// ------------------------------------------------------------------------------------------------------- slow reading

inline bool includes(Pus set, Pus subset) { return (subset & ~set) == 0; }

// The deepest object whose cpuset includes `set`: by trying all.
inline int slow_cover(const Small& m, Pus set) {
  int best = -1;
  for (int v = 0; v < static_cast<int>(m.parent.size()); ++v) {
    if (includes(m.pus[v], set) && (best < 0 || m.depth[v] > m.depth[best])) best = v;
  }
  return best;
}

inline Pus union_of(const std::vector<Pus>& bindings, const std::vector<int>& ranks) {
  Pus all = 0;
  for (int r : ranks) all |= bindings[r];
  return all;
}

// By rank the communicators it is in, outermost first, each as text: everything there is to know of it.
using Told = std::vector<std::vector<std::string>>;

inline std::string tell(const std::vector<int>& members, int num_comms, int index, int cover,
                        const std::vector<int>& roots) {
  std::string text = std::to_string(cover) + " " + std::to_string(index) + "/" + std::to_string(num_comms) + " {";
  for (int r : members) text += std::to_string(r) + ",";
  text += "} roots {";
  for (int r : roots) text += std::to_string(r) + ",";
  return text + "}";
}

// Tells the members of one level's communicators, in the order of their indexes.
inline void tell_members(const Small& m, const std::vector<Pus>& bindings, const std::vector<std::vector<int>>& comms,
                         Told& out) {
  std::vector<int> roots;
  for (const auto& c : comms) roots.push_back(c.front());
  std::sort(roots.begin(), roots.end());
  for (size_t i = 0; i < comms.size(); ++i) {
    for (int r : comms[i]) {
      out[r].push_back(tell(comms[i], static_cast<int>(comms.size()), static_cast<int>(i),
                            slow_cover(m, union_of(bindings, comms[i])), roots));
    }
  }
}

inline void slow_split(const Small& m, const std::vector<Pus>& bindings, const std::vector<int>& ranks, Told& out) {
  const int object = slow_cover(m, union_of(bindings, ranks));
  std::vector<std::vector<int>> comms;
  for (int child = 0; child < static_cast<int>(m.parent.size()); ++child) {
    if (m.parent[child] != object) continue;
    std::vector<int> members;
    for (int r : ranks) {
      if (includes(m.pus[child], bindings[r])) members.push_back(r);
    }
    if (!members.empty()) comms.push_back(members);
  }
  tell_members(m, bindings, comms, out);
  for (const auto& c : comms) slow_split(m, bindings, c, out);
}

inline std::vector<int> iota(int n) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

// What a rank may be bound to: any object of a node.
inline std::vector<Pus> objects_of(const Small& m) {
  std::vector<Pus> sets;
  for (size_t v = 0; v < m.parent.size(); ++v) {
    if (m.node[v] >= 0) sets.push_back(m.pus[v]);
  }
  // A chain of single children is one set of PUs, and thus one binding.
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

}  // namespace strata::mpix::testing
