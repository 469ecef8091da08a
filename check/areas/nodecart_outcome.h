// SPDX-License-Identifier: LGPL-2.1-only
// The results of the mappings of Cartesian meshes (mpi_ext/cart/cart_mapping.h), and of the functions that they use, in
// a case.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "check/areas/nodecart_case.h"
#include "check/areas/slow_mesh.h"
#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/partners.h"

namespace strata::check {

/// Whether this case represents its mesh, for checks that do not depend on places: they run once for each mesh.
bool asks_mesh(const NodecartCase& c);
/// The same for each mesh and node size, for checks that do not depend on periods and on the ranks of a node.
bool asks_dims(const NodecartCase& c);
/// The same for all places, for checks that do not depend on the mesh.
bool asks_places(const NodecartCase& c);

/// The largest mesh for which the optimum over all assignments is computed, which takes at most a few ms.
inline constexpr int kMostForOptimum = 8;

struct NodecartOutcome {
  explicit NodecartOutcome(const mpix::Mesh& mesh) : slow(mesh) {}

  struct Mapped {
    std::optional<mpix::Mapping> mapping;
    std::string refusal;                   // the reason, if there is no mapping
    std::vector<mpix::Partners> partners;  // by level
    long of_blocks = -1;                   // mpix::off_partners of intradims; -1 if there are none
  };
  std::vector<Mapped> methods;  // in the order of mpix::cart_methods

  /// mpix::factor_block for nodes of the size of the first rank's node.
  std::optional<std::vector<int>> block;

  /// Results of mesh.h, only in cases with asks_mesh.
  struct Shifted {
    int position, dim, displacement;
    std::array<int, 2> partners;  // mpix::shift
    int moved;                    // mpix::position_of the coordinates after the displacement
  };
  int size = 0;
  std::vector<int> strides;
  std::vector<std::vector<int>> coords;  // by position
  std::vector<int> positions;            // of the coordinates of each position
  std::vector<Shifted> shifts;

  /// Results of mpix::node_aware_dims for some inputs, only in cases with asks_dims.
  struct Filled {
    int processes, ranks_per_node;
    std::vector<int> given;
    std::optional<std::vector<int>> dims;  // no value: refused
  };
  std::vector<Filled> filled;

  /// Results of mpix::places_of_first for some numbers of ranks.
  struct First {
    int ranks;
    mpix::Places places;
  };
  std::vector<First> firsts;

  /// Independent of the code under check: the mesh by its definition and, for small meshes, the minimum number of
  /// off-node partners over all assignments of positions to nodes.
  SlowMesh slow;
  std::optional<long> fewest;
};

/// Whether the numbers are a permutation of 0, 1, ..., count - 1.
bool is_permutation_of_all(const std::vector<int>& numbers, int count);

/// Calls the code under check.
NodecartOutcome run_nodecart(const NodecartCase& c);

}  // namespace strata::check
