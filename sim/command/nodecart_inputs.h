// Random inputs for the mappings of Cartesian meshes: what `strata nodecart survey` and the tests of the mappings try.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/places.h"

namespace strata::command {

struct NodecartInput {
  mpix::Mesh mesh;
  std::vector<int> node_sizes;
  mpix::Places places;  // the nodes alone
  bool equal = true;    // nodes
};

/// The next input: at most `max_processes` (at least 2), their number's logarithm evenly distributed, as that of the
/// processes a node (at most 128); 1 to 4 dimensions. Half of the nodes' sizes are equal, a quarter are but for the
/// last, which has fewer, a quarter are anything from 1 to twice the mean. Half of the meshes are the most cubic ones,
/// as MPI_Dims_create's, half have the prime factors of their size in any dimension; each is periodic in a dimension or
/// not. Half of the ranks fill node after node, a quarter go round the nodes, a quarter are anywhere. The same engine
/// gives the same inputs under every standard library.
NodecartInput random_nodecart_input(std::mt19937_64& engine, int max_processes);

/// "12x8 periods 10 nodes 8 8 4 ... ": what a message names an input by.
std::string text_of(const NodecartInput& input);

}  // namespace strata::command
