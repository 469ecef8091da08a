// SPDX-License-Identifier: LGPL-2.1-only
// A case of the area nodecart: a Cartesian mesh and the places of its ranks. Examples of keys:
//
//   4x3p10:node=6+6                        4x3, periodic in the first dimension; two nodes of 6, filled in order
//   4x3p00:switch=8+4:node=3x4             one switch with two nodes and one with one node
//   2x2p00:node=0.1.1.0                    the node of each rank, if nodes are not filled in order
//   nodims:node=1                          the mesh of one process without dimensions
//
// NxV means N times V. Groups are numbered in the order of their first ranks; each level refines the previous one.
#pragma once

#include <string>
#include <vector>

#include "mpi_ext/cart/level_groups.h"
#include "mpi_ext/cart/mesh.h"

namespace strata::check {

struct NodecartCase {
  mpix::Mesh mesh;
  mpix::Places places;
};

/// Makes places from groups by rank on each level, outermost first. Level number `node` is the nodes; levels get names.
mpix::Places places_of(const std::vector<std::vector<int>>& groups, int node);

int ranks_of(const NodecartCase& c);
/// Sizes of the nodes, in the order of their first ranks.
std::vector<int> node_sizes(const NodecartCase& c);
/// Whether ranks fill the groups in order.
bool is_packed(const std::vector<int>& group);
/// Whether all groups have the same number of ranks.
bool is_equal(const std::vector<int>& group);

std::string key_of(const NodecartCase& c);
/// Throws InputError that names the position in the key and what would be right.
NodecartCase read_nodecart_key(const std::string& key);

/// Cases that are one step simpler, those with fewer processes first: a dimension removed or shortened, keeping the
/// first ranks, the last ranks, or equally many of each group; a level removed; a period switched off; two groups
/// merged, or all pairs if there are many; the groups filled in order.
std::vector<NodecartCase> simpler_cases(const NodecartCase& c);

}  // namespace strata::check
