// SPDX-License-Identifier: LGPL-2.1-only
// Random inputs for the mappings of Cartesian meshes: what `strata nodecart survey` and the property checker try.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/places.h"

namespace strata::check {

struct NodecartInput {
  mpix::Mesh mesh;
  std::vector<int> node_sizes;
  mpix::Places places;  // the nodes alone
  bool equal = true;    // nodes
};

/// The next input: a mesh of 1 to 4 dimensions and at most `max_processes` (at least 2), periodic in each or not. Each
/// dimension's logarithm is evenly distributed within what those before it leave; half of the meshes are then made the
/// most cubic of their size, as MPI_Dims_create does. Half of the inputs have equal nodes, of a size from 2 to 128 that
/// divides the mesh (1, where none does); of the others half have nodes that are equal but for the last, which has
/// fewer, half have any from 1 to twice the mean. Half of the ranks fill node after node, a quarter go round the nodes,
/// a quarter are anywhere. The same engine gives the same inputs under every standard library.
NodecartInput random_nodecart_input(std::mt19937_64& engine, int max_processes);

}  // namespace strata::check
