// SPDX-License-Identifier: LGPL-2.1-only
// Random inputs for the mappings of Cartesian meshes, used by `strata nodecart survey` and the property checker.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "mpi_ext/cart/level_groups.h"
#include "mpi_ext/cart/mesh.h"

namespace strata::check {

struct NodecartInput {
  mpix::Mesh mesh;
  std::vector<int> node_sizes;
  mpix::Places places;  // nodes only
  bool equal = true;    // whether nodes have equal sizes
};

/// The next input: a mesh of 1 to 4 dimensions and at most `max_processes` (at least 2) processes, with random periods.
/// The logarithm of each dimension is uniformly distributed within the limit that earlier dimensions leave. Half of the
/// meshes are then replaced by the most cubic one of their size, as from MPI_Dims_create.
///
/// Half of the inputs have equal nodes, of a size from 2 to 128 that divides the mesh (1 if there is none). A quarter
/// have equal nodes except the last, which is smaller. A quarter have nodes of any size from 1 to twice the mean. Half
/// of the inputs fill node after node, a quarter go round-robin over the nodes, and a quarter are random. The same
/// engine gives the same inputs with every standard library.
NodecartInput random_nodecart_input(std::mt19937_64& engine, int max_processes);

}  // namespace strata::check
