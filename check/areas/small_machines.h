// SPDX-License-Identifier: LGPL-2.1-only
// All small machines, up to the order of siblings, and all ways to bind a few ranks on them.
//
// A machine is a tree: up to two levels of network (a root, and switches below it), nodes, and the objects of each node
// down to the leaves, which have a PU each. Trees are made as multisets of smaller trees, by their number of vertices,
// so that of those that differ only in the order of siblings one is made and none is looked for twice. The same for
// bindings: the ranks are put down one after the other, and of equal siblings that have no rank yet only the first is
// entered. That is one binding of each class: once two siblings hold ranks they are not equal any more.
//
// Vertices are in preorder, as in a Topology; sets of PUs are bits.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/engine/key.h"

namespace strata::check {

using Pus = std::uint64_t;  // a set of PUs of the whole machine, a bit a PU
inline constexpr int kMostPus = 64;

inline bool includes(Pus set, Pus subset) { return (subset & ~set) == 0; }

/// An ordered tree without anything else.
struct Shape {
  std::vector<Shape> children;
};

/// Immutable once made.
struct SmallMachine {
  std::vector<int> parent, depth;  // by vertex
  std::vector<int> node;           // the node a vertex is in, -1 for the network
  std::vector<int> twin;           // the sibling just before whose subtree is the same, -1 where it is another
  std::vector<Pus> pus;            // those below the vertex; a leaf has one
  std::vector<int> node_vertex;    // by node
  int max_depth = 0;

  int size() const { return static_cast<int>(parent.size()); }
  bool is_leaf(int v) const { return v + 1 == size() || parent[v + 1] != v; }
  /// Whether a rank may be bound to `v` and to no vertex below that has the same PUs.
  bool is_place(int v) const { return node[v] >= 0 && (is_leaf(v) || pus[v + 1] != pus[v]); }
};

/// A tree whose vertices at depth `network` are the nodes: 0 for a node alone, 1 for nodes under a root, 2 for switches
/// between.
SmallMachine small_machine(const Shape& shape, int network);

/// With all siblings in the opposite order. `vertex`: where each vertex of `machine` has gone.
SmallMachine mirrored(const SmallMachine& machine, std::vector<int>& vertex);

/// A line without blanks, a letter a vertex, in preorder, with the number of its children: s of the network, m a node,
/// o an object of a node, c a leaf of it. "s2m2ccm2cc": two nodes of two cores. A node without
/// objects is a leaf.
std::string text_of(const SmallMachine& machine);

/// Reads it back; the reader is behind it then. Throws InputError.
SmallMachine read_machine(KeyReader& key);

/// The letter of a vertex.
char letter_of(const SmallMachine& machine, int v);

struct MachineBounds {
  int depth = 0;     // levels below the root of the whole tree, the network's included
  int arity = 0;     // children of an object
  int nodes = 0;     // in all
  int vertices = 0;  // in all
  int network = 2;   // levels above the nodes
};

/// Machines up to the order of siblings, from small to large: those of n vertices when asked for them. A depth of at
/// least 0; not more than kMostPus vertices.
class SmallMachines {
 public:
  explicit SmallMachines(const MachineBounds& bounds);

  /// All of `vertices` vertices.
  std::vector<SmallMachine> of(int vertices);

 private:
  using BySize = std::vector<std::vector<Shape>>;
  const std::vector<Shape>& trees(int levels, int size);

  MachineBounds bounds_;
  std::vector<BySize> trees_;  // by levels, by size: made as they are asked for
};

/// The number of ordered trees that differ from this one in the order of siblings only, itself included.
long orders_of(const SmallMachine& machine);

/// Binds ranks to leaves, to inner objects and to whole nodes, one binding of those that are the same up to the order
/// of siblings: `visit` gets the vertex of each rank and returns false to stop. Returns false if it was stopped. Of
/// objects with the same PUs the deepest stands for all.
bool for_each_binding(const SmallMachine& machine, int ranks,
                      const std::function<bool(const std::vector<int>&)>& visit);

/// The same number for machines and bindings (any sets of PUs) that differ in the order of siblings only, and hardly
/// ever else.
std::uint64_t fingerprint(const SmallMachine& machine, const std::vector<Pus>& bindings);

}  // namespace strata::check
