// SPDX-License-Identifier: LGPL-2.1-only
// Cuts a graph straight through, like a plane cuts a mesh.
//
// In a mesh, the vertex that is most steps away from any other is a corner. In a grid of 8 x 4, for example, the steps
// from corner (0, 0) minus those from corner (7, 0) are 2x - 7: the order of the vertices by this difference is the
// order by x, and its first half is the left half of the grid. Each pair of corners gives such an order; the cut with
// the fewest bytes wins. If the graph is not a mesh, the cut is bad, and the caller uses another one.
//
// Steps use only heavy edges if these connect the graph: in a stencil with diagonals, the edges along the axes.
//
// Cost: O(edges) for each of kCorners corners and for each pair of them. The idea of ordering vertices by their steps
// from the ends of the graph is that of N. E. Gibbs, W. G. Poole, P. K. Stockmeyer, "An algorithm for reducing the
// bandwidth and profile of a sparse matrix", SIAM J. Numer. Anal. 13(2), 1976.
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"

namespace strata::mpix {

/// For each vertex 0 or 1; `size0` vertices get 0. Every vertex weighs 1. Empty if the graph has only one corner.
std::vector<char> straight_cut(const AffinityGraph& graph, int size0, Random& random);

}  // namespace strata::mpix
