// SPDX-License-Identifier: LGPL-2.1-only
// Properties of a topology that drawings need in addition to its tree: which nodes and switches look alike, and labels
// for objects that the tree leaves out (PUs that are their core's only one, indexes of switches).
#pragma once

#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

/// Adjacent siblings that look alike.
struct Run {
  int first;  // vertex
  int count;
};

/// Computed once per drawing; O(vertices). Reading from several threads is safe. The topology must outlive it.
class Folding {
 public:
  explicit Folding(const Topology& topology);

  /// The children of a network vertex, in order, as runs of equal subtrees.
  std::vector<Run> runs(int network_vertex) const;
  /// A number for the shape of a subtree, of a network vertex or a node: equal numbers mean equal subtrees. 0 for the
  /// first node's.
  int shape(int vertex) const { return shape_[vertex]; }
  /// The index of a network vertex among those with its name, in preorder.
  int network_index(int vertex) const { return network_index_[vertex]; }
  /// The number of nodes below a network vertex (1 for a node).
  int num_nodes(int vertex) const { return num_nodes_[vertex]; }
  /// hwloc's logical index of the first PU below a vertex of a node.
  int first_pu(int vertex) const { return first_pu_[vertex]; }

 private:
  const Topology& topology_;
  std::vector<int> shape_, network_index_, num_nodes_, first_pu_;
};

/// "12 nodes", "1 node".
std::string counted(int n, const std::string& noun);

/// "nodes 3-5", "node 3".
std::string node_range(int first, int count);

}  // namespace strata
