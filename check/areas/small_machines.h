// SPDX-License-Identifier: LGPL-2.1-only
// All small machines up to the order of siblings, and all ways to bind a few ranks on them.
//
// A machine is a tree: up to two levels of network (a root, and switches below it), nodes, and the objects of each node
// down to the leaves, which have one PU each. Trees are built as multisets of smaller trees, by their number of
// vertices. So trees that differ only in the order of siblings are built only once, without searching for duplicates.
// Bindings are enumerated in the same way: ranks are placed one after another, and among equal siblings without a rank,
// only the first gets one. This gives one binding of each class, because two siblings are no longer equal once they
// have ranks.
//
// Vertices are in preorder, as in a Topology. Sets of PUs are bit masks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/engine/key.h"

namespace strata::check {

using Pus = std::uint64_t;  // a set of PUs of the whole machine, one bit for each PU
inline constexpr int kMostPus = 64;

inline bool includes(Pus set, Pus subset) { return (subset & ~set) == 0; }

/// An ordered tree without labels.
struct Shape {
  std::vector<Shape> children;
};

/// Immutable after construction.
struct SmallMachine {
  std::vector<int> parent, depth;  // by vertex
  std::vector<int> node;           // by vertex: its node, -1 for the network
  std::vector<int> twin;           // by vertex: the previous sibling if its subtree is equal, otherwise -1
  std::vector<Pus> pus;            // by vertex: the PUs below it; a leaf has one
  std::vector<int> node_vertex;    // by node
  int max_depth = 0;

  int size() const { return static_cast<int>(parent.size()); }
  bool is_leaf(int v) const { return v + 1 == size() || parent[v + 1] != v; }
  /// Whether a rank may be bound to `v`. Of vertices with the same PUs, only the deepest counts.
  bool is_place(int v) const { return node[v] >= 0 && (is_leaf(v) || pus[v + 1] != pus[v]); }
};

/// Makes a machine whose nodes are the vertices at depth `network`: 0 for a single node, 1 for nodes under a root, 2
/// for switches between them.
SmallMachine small_machine(const Shape& shape, int network);

/// Reverses the order of all siblings. `vertex` gets the new position of each vertex of `machine`.
SmallMachine mirrored(const SmallMachine& machine, std::vector<int>& vertex);

/// A line without blanks. It has a letter for each vertex in preorder, with the number of its children: s for the
/// network, m for a node, o for an object in a node, c for a leaf in a node. For example, "s2m2ccm2cc" is two nodes of
/// two cores. A node without objects is a leaf.
std::string text_of(const SmallMachine& machine);

/// Parses the text of a machine and moves the reader behind it. Throws InputError.
SmallMachine read_machine(KeyReader& key);

/// The letter of a vertex.
char letter_of(const SmallMachine& machine, int v);

struct MachineBounds {
  int depth = 0;     // levels below the root of the whole tree, including the network's
  int arity = 0;     // children of each object
  int nodes = 0;     // in all
  int vertices = 0;  // in all
  int network = 2;   // levels above the nodes
};

/// Enumerates machines up to the order of siblings, by number of vertices. The depth must be at least 0, and a machine
/// has at most kMostPus vertices.
class SmallMachines {
 public:
  explicit SmallMachines(const MachineBounds& bounds);

  /// All machines with `vertices` vertices.
  std::vector<SmallMachine> of(int vertices);

 private:
  using BySize = std::vector<std::vector<Shape>>;
  const std::vector<Shape>& trees(int levels, int size);

  MachineBounds bounds_;
  std::vector<BySize> trees_;  // by levels, then by size; built on demand
};

/// The number of ordered trees that differ from this one only in the order of siblings, including itself.
long orders_of(const SmallMachine& machine);

/// Binds ranks to leaves, inner objects and whole nodes. Bindings that are equal up to the order of siblings are
/// visited once. `visit` gets the vertex of each rank, and returns false to stop. Returns false if it was stopped. Of
/// objects with the same PUs, only the deepest is used.
bool for_each_binding(const SmallMachine& machine, int ranks,
                      const std::function<bool(const std::vector<int>&)>& visit);

/// Equal for machines and bindings (any sets of PUs) that differ only in the order of siblings, and almost always
/// different for others.
std::uint64_t fingerprint(const SmallMachine& machine, const std::vector<Pus>& bindings);

}  // namespace strata::check
