// SPDX-License-Identifier: LGPL-2.1-only
// A case of the area nodecart: a Cartesian mesh and the places of as many ranks. Its key:
//
//   4x3p10:node=6+6                        4x3, periodic in the first dimension; two nodes of 6, filled in order
//   4x3p00:switch=8+4:node=3x4             two switches of two nodes and one
//   2x2p00:node=0.1.1.0                    the node of each rank, where they are not filled in order
//   nodims:node=1                          the mesh of one process without dimensions
//
// NxV stands for V N times. Groups are numbered in the order of their first ranks; each level refines the one before.
#pragma once

#include <string>
#include <vector>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/places.h"

namespace strata::check {

struct NodecartCase {
  mpix::Mesh mesh;
  mpix::Places places;
};

/// Levels of these groups by rank, the outermost first, the `node`-th being the nodes, with names for people.
mpix::Places places_of(const std::vector<std::vector<int>>& groups, int node);

int ranks_of(const NodecartCase& c);
/// Of the nodes, in the order of their first ranks.
std::vector<int> node_sizes(const NodecartCase& c);
/// Whether the ranks fill the groups in order.
bool is_packed(const std::vector<int>& group);
/// Whether the groups have equally many ranks.
bool is_equal(const std::vector<int>& group);

std::string key_of(const NodecartCase& c);
/// Throws InputError, with where in the key and what would be right.
NodecartCase read_nodecart_key(const std::string& key);

/// One step simpler: a dimension less, or a shorter one, with the ranks that are left the first, the last, or as many
/// of each group; a level less; a period off; two groups made one, or of many all pairs; the groups
/// filled in order. Fewer processes first.
std::vector<NodecartCase> simpler_cases(const NodecartCase& c);

}  // namespace strata::check
