// SPDX-License-Identifier: LGPL-2.1-only
// Slow implementations of the definitions behind the mappings of Cartesian meshes, by trial on lists of coordinates.
// mpi_ext/cart is compared with them; they do not call it.
#pragma once

#include <optional>
#include <vector>

#include "check/areas/slow_mesh.h"
#include "mpi_ext/cart/level_groups.h"

namespace strata::check {

using Shape = std::vector<int>;

/// EuroMPI'18, Section 2.1: the dimensions to which the prime factors are assigned, step by step.
struct FactorRule {
  Shape block;
  bool shortest_decided = false;  // a tie of extents was decided by the shortest block so far
  bool first_decided = false;     // a tie of these was decided by the first dimension
};

/// No value if a prime factor of `size` divides no dimension.
std::optional<FactorRule> slow_factor_rule(const Shape& dims, int size);

/// All shapes of `size` positions that divide `whole`, in lexicographic order.
std::vector<Shape> shapes_in(const Shape& whole, int size);

/// The best blocks of these sizes by the criteria of blocks.h. Sizes are outermost first, and each is divided by the
/// next. Partners are counted on the mesh.
struct BestBlocks {
  std::vector<long> off;  // partners off the nodes, then off the other levels, outermost first
  Shape node;             // of equal blocks, the first in lexicographic order with long extents first
};
BestBlocks slow_best_blocks(const SlowMesh& mesh, const std::vector<int>& sizes, int node);

/// order.h: nested blocks of these shapes, outermost first, each divided by the next. Blocks are in row-major order
/// inside the enclosing one; so are positions in the innermost block. parts[k], if not empty, is the group of each
/// place in the order. If an enclosing block contains several of these groups, slow_hyperplane arranges its blocks of
/// the k-th shape (for k beyond the last shape: its positions).
std::vector<Coords> slow_blocks(const Shape& dims, const std::vector<Shape>& shapes,
                                const std::vector<std::vector<int>>& parts = {});

/// hyperplane.h: von Kirchbach et al., IEEE Cluster 2020.
std::vector<Coords> slow_hyperplane(const Shape& dims, const Shape& unit, const std::vector<int>& sizes);

/// kd_tree.h: the same source.
std::vector<Coords> slow_tree(const Shape& dims);

/// strips.h: the same source. Only the path is implemented again; the number of strips uses the header's formula.
std::vector<Coords> slow_strips(const Shape& dims, double node_size);

/// Ranks sorted by their groups, outermost first, then by rank.
std::vector<int> slow_ranks_by_place(const mpix::Places& places);

/// dims.h: the best of all dimensions of this many processes that agree with `given`; no value if there are none.
std::optional<std::vector<int>> slow_dims(int processes, int ranks_per_node, const std::vector<int>& given);

}  // namespace strata::check
