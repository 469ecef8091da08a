// SPDX-License-Identifier: LGPL-2.1-only
// Slow readings of the definitions behind the mappings of Cartesian meshes: on lists of coordinates, by trial.
// mpi_ext/cart is checked against them; they call none of it.
#pragma once

#include <optional>
#include <vector>

#include "check/areas/slow_mesh.h"
#include "mpi_ext/cart/places.h"

namespace strata::check {

using Shape = std::vector<int>;

/// EuroMPI'18, Section 2.1: what a factor is given to, step by step.
struct FactorRule {
  Shape block;
  bool shortest_decided = false;  // of equal extents, the one whose block is shortest so far
  bool first_decided = false;     // of equal ones of these, the first
};

/// Nothing where a factor of `size` divides no dimension.
std::optional<FactorRule> slow_factor_rule(const Shape& dims, int size);

/// All shapes of `size` positions that divide `whole`, in lexicographic order.
std::vector<Shape> shapes_in(const Shape& whole, int size);

/// Of all blocks of these sizes, the outermost first, each divided by the next, the best as blocks.h says; the partners
/// are counted on the mesh.
struct BestBlocks {
  std::vector<long> off;  // partners off the nodes, then off the other levels, the outermost first
  Shape node;             // of equals the first in lexicographic order, the longest first
};
BestBlocks slow_best_blocks(const SlowMesh& mesh, const std::vector<int>& sizes, int node);

/// order.h: blocks of these shapes, the outermost first, each divided by the next, in row-major order in the one
/// around, positions in the last. parts[k], where there is one and it is not empty: of each place in the order the
/// group that it is to be of; where there are several of these in a block around, the blocks of the k-th shape (behind
/// the last: the positions) are put together by slow_hyperplane.
std::vector<Coords> slow_blocks(const Shape& dims, const std::vector<Shape>& shapes,
                                const std::vector<std::vector<int>>& parts = {});

/// hyperplane.h: von Kirchbach et al., IEEE Cluster 2020.
std::vector<Coords> slow_hyperplane(const Shape& dims, const Shape& unit, const std::vector<int>& sizes);

/// kd_tree.h: the same source.
std::vector<Coords> slow_tree(const Shape& dims);

/// strips.h: the same source. Only the walk is written a second time: the number of strips is the header's formula.
std::vector<Coords> slow_strips(const Shape& dims, double node_size);

/// Ranks by the groups they are in, the outermost first, then by rank.
std::vector<int> slow_ranks_by_place(const mpix::Places& places);

/// dims.h: the best of all dimensions of as many processes that have what is given; nothing where none do.
std::optional<std::vector<int>> slow_dims(int processes, int ranks_per_node, const std::vector<int>& given);

}  // namespace strata::check
