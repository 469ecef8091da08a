// SPDX-License-Identifier: LGPL-2.1-only
// What the mappings of Cartesian meshes (mpi_ext/cart/mapping.h), and what they are made of, say of a case.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "check/areas/nodecart_case.h"
#include "check/areas/slow_mesh.h"
#include "mpi_ext/cart/mapping.h"
#include "mpi_ext/cart/partners.h"

namespace strata::check {

/// Whether this case stands for its mesh: what does not depend on places is checked once for each mesh.
bool asks_mesh(const NodecartCase& c);
/// The same for each mesh and size of nodes, for what does not depend on periods or on the ranks of a node.
bool asks_dims(const NodecartCase& c);
/// The same for all places, for what does not depend on the mesh.
bool asks_places(const NodecartCase& c);

/// Positions up to which the fewest partners of all assignments are found: at most some ms.
inline constexpr int kMostForOptimum = 8;

struct NodecartOutcome {
  explicit NodecartOutcome(const mpix::Mesh& mesh) : slow(mesh) {}

  struct Mapped {
    std::optional<mpix::Mapping> mapping;
    std::string refusal;                   // where there is none
    std::vector<mpix::Partners> partners;  // by level
    long of_blocks = -1;                   // mpix::off_partners of intradims; -1 where there are none
  };
  std::vector<Mapped> methods;  // as mpix::cart_methods

  /// mpix::factor_block for nodes as large as the first rank's.
  std::optional<std::vector<int>> block;

  /// mesh.h, of meshes that are looked at (asks_mesh).
  struct Shifted {
    int position, dim, displacement;
    std::array<int, 2> partners;  // mpix::shift
    int moved;                    // mpix::position_of the coordinates plus displacement
  };
  int size = 0;
  std::vector<int> strides;
  std::vector<std::vector<int>> coords;  // by position
  std::vector<int> positions;            // of these coordinates
  std::vector<Shifted> shifts;

  /// mpix::node_aware_dims of some inputs (asks_dims).
  struct Filled {
    int processes, ranks_per_node;
    std::vector<int> given;
    std::optional<std::vector<int>> dims;  // nothing: refused
  };
  std::vector<Filled> filled;

  /// mpix::places_of_first of some numbers of ranks.
  struct First {
    int ranks;
    mpix::Places places;
  };
  std::vector<First> firsts;

  /// Not the code's: what the mesh is by its definition; for small ones the fewest partners off the node of all ways to
  /// give positions to nodes.
  SlowMesh slow;
  std::optional<long> fewest;
};

/// Whether they are 0, 1, ... up to `count`, in any order.
bool is_permutation_of_all(const std::vector<int>& numbers, int count);

/// Calls the code under check.
NodecartOutcome run_nodecart(const NodecartCase& c);

}  // namespace strata::check
