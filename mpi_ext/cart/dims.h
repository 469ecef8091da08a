// SPDX-License-Identifier: LGPL-2.1-only
// Chooses the dimensions of a mesh for given nodes, which MPI_Dims_create does not know (EuroMPI'18, Sections 1 and
// 2.1). For 576 processes, 36 a node, 12x8x6 with node blocks of 6x2x3 is better than 9x8x8, the most cubic mesh, with
// 9x2x2.
#pragma once

#include <vector>

namespace strata::mpix {

/// Fills in the zeros of `dims` (entries above 0 are kept) so that the product is `processes`. Among all possibilities,
/// prefers in this order: the least sum of the dimensions of the mesh of nodes (the faces of a node's part of a cubic
/// domain, which is the traffic that leaves the node); the least sum of `dims` (a process's faces); chosen dimensions
/// that do not increase (as MPI_Dims_create); the lexicographically first, with the largest dimension first. If
/// `ranks_per_node` is 0 (nodes are unequal) or does not divide `processes`, each process counts as a node. Throws
/// Unmappable (mapping.h) if the given entries do not divide the number. Pure; thread-safe.
std::vector<int> node_aware_dims(int processes, int ranks_per_node, std::vector<int> dims);

}  // namespace strata::mpix
