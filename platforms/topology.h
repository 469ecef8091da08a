// SPDX-License-Identifier: LGPL-2.1-only
// The machine as one immutable tree: network levels above, nodes in the middle, hwloc's objects of a node below.
//
// Vertices are integers in depth-first preorder: a parent has a smaller number than its children, siblings are in
// logical order, and the cores below a vertex are a contiguous range. Vertex 0 is the network's root. Walks are
// O(depth). Memory is a few integers per vertex, so a machine of 16,384 cores is not a problem.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cpuset.h"
#include "platforms/node_tree.h"

namespace strata {

/// The name of the network's root, from RR-9077, Section 4.1.4.
inline constexpr std::string_view kClusterName = "System - Cluster";

/// A level of the network: the children of a switch (or of the root). Groups come before nodes.
struct NetworkGroup {
  std::string level;                 // its name in machine.yaml
  std::vector<NetworkGroup> groups;  // may be unequal
  int nodes = 0;                     // attached directly
  int count_nodes() const;
};

/// Immutable after construction; reading from several threads is safe.
class Topology {
 public:
  /// `nodes[i]` is the inside of node i, in the order of a depth-first walk of `network`. Throws std::invalid_argument
  /// if their number differs from the network's or is zero, or if a group has no nodes or no name.
  Topology(const NetworkGroup& network, std::vector<std::shared_ptr<const NodeTree>> nodes);

  int num_vertices() const { return static_cast<int>(parent_.size()); }
  /// -1 for the root.
  int parent(int v) const { return parent_[v]; }
  /// All parents, by vertex.
  std::span<const int> parents() const { return parent_; }
  std::span<const int> children(int v) const {
    return std::span(children_).subspan(first_child_[v], first_child_[v + 1] - first_child_[v]);
  }
  int depth(int v) const { return depth_[v]; }
  ObjectType type(int v) const;
  /// "System - Cluster", the name of a network level in machine.yaml, or hwloc's type name ("Package", "L3", ...).
  const std::string& name(int v) const;
  /// The node that contains a vertex, or -1 for network levels.
  int node(int v) const { return node_[v]; }
  /// The object of the node's tree at a vertex; null for network levels.
  const NodeObject* object(int v) const;

  int num_nodes() const { return static_cast<int>(node_vertex_.size()); }
  /// The Machine vertex of a node.
  int node_vertex(int node) const { return node_vertex_[node]; }
  const NodeTree& node_tree(int node) const { return *nodes_[node]; }

  /// The vertices on which ranks run, in logical order, node after node.
  std::span<const int> cores() const { return cores_; }
  /// The cores below `v` (or `v` itself if it is a core) as indexes into cores(): first, and how many.
  int first_core(int v) const { return first_core_[v]; }
  int num_cores(int v) const { return first_core_[subtree_end_[v]] - first_core_[v]; }
  /// One past the last vertex below `v`.
  int subtree_end(int v) const { return subtree_end_[v]; }

  /// The deepest vertex that covers `cpuset` on `node`; -1 if the set is empty or has a PU that does not exist.
  int covering(int node, const Cpuset& cpuset) const;
  /// O(depth).
  int lowest_common_ancestor(int a, int b) const;

  /// Recomputes every stored relation and throws std::logic_error for the first that is wrong. O(vertices).
  void check_invariants() const;

 private:
  void add_network(const NetworkGroup& group, int parent, int& next_node);
  void add_node(int node, int parent);
  int add_vertex(int parent, int node, int object);

  std::vector<std::shared_ptr<const NodeTree>> nodes_;
  std::vector<std::string> network_names_;  // by `object_` of a network vertex
  std::vector<int> parent_, depth_, node_, object_;
  std::vector<int> first_child_, children_;  // children of v: children_[first_child_[v] .. first_child_[v + 1])
  std::vector<int> subtree_end_;
  std::vector<int> node_vertex_;
  std::vector<int> cores_, first_core_;  // first_core_[v]: the number of cores with a smaller vertex than v
};

/// `nodes` copies of one node under the root, with no switch level between.
std::shared_ptr<const Topology> flat_cluster(const std::shared_ptr<const NodeTree>& node, int nodes);

/// The maximum number of nodes in a description; catches typing errors.
inline constexpr int kMaxNodes = 1'000'000;

/// The parsed form of parse_tree's text, before any node is made.
struct TreeLine {
  NetworkGroup network;
  std::string node;  // hwloc's synthetic description
};

/// Parses a line for parse_tree. Throws InputError.
TreeLine parse_tree_line(const std::string& line);

/// A machine in one line, for tests and what-ifs: "switch:2 node:3 pack:2 l3:1 core:4". The parts before `node:` are
/// network levels by name, the rest is hwloc's synthetic syntax. Without `node:` it is one node. Throws InputError.
std::shared_ptr<const Topology> parse_tree(const std::string& line);

}  // namespace strata
