// SPDX-License-Identifier: LGPL-2.1-only
// Chooses a position in a Cartesian mesh for each process. One function offers all methods:
//
//   cart        old rank r gets position r, as in MPI_Cart_create when it ignores `reorder`
//   nodecart    EuroMPI'18, Section 2.1: the mesh is cut into one block per node; the factor rule gives its shape
//               (blocks.h). Nodes must have equally many ranks
//   multilevel  EuroMPI'18, Section 2.2: the same on every level of the machine, outermost first: blocks within blocks
//   blocks      as nodecart, but takes the shape with the fewest off-node partners among all that fit the mesh
//   hyperplane, kdtree, strips    von Kirchbach, Lehr, Hunold, Schulz, Traeff, "Efficient Process-to-Node Mapping
//               Algorithms for Stencil Computations", IEEE Cluster 2020: any number of ranks on each node
//   auto        among all possible methods, the one with the fewest off-node partners; ties go to the one with the
//               fewest partners in other groups of the further levels, outermost first, then to cart, then to the order
//               above. So auto never has more off-node partners than cart.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "mpi_ext/cart/level_groups.h"
#include "mpi_ext/cart/mesh.h"

namespace strata::mpix {

enum class CartMethod { kAuto, kCart, kNodecart, kMultilevel, kBlocks, kHyperplane, kKdTree, kStrips };

/// "auto", "cart", "nodecart", ...
std::string_view name_of(CartMethod method);
/// Empty if `name` is not a method.
std::optional<CartMethod> find_cart_method(std::string_view name);
/// All methods, in the order of the enumeration.
const std::vector<CartMethod>& cart_methods();
/// All names, for messages: "auto, cart, nodecart, ...".
std::string cart_method_list();
/// Whether a method cuts the mesh into one block per node, and so needs equally many ranks on each node.
bool cuts_blocks(CartMethod method);

/// A method that is impossible for this input. what() gives the reason and the remedy in one line.
class Unmappable : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct Mapping {
  CartMethod method = CartMethod::kCart;  // the chosen method; never kAuto
  std::vector<int> new_rank;              // by old rank: its position in the mesh; a permutation
  std::vector<int> intradims, interdims;  // of a node's blocks; empty if nodes are not blocks
};

/// `places` has as many ranks as the mesh has positions. Throws Unmappable: for nodecart, multilevel and blocks if
/// groups are unequal or no block of their size fits. Pure; thread-safe. O(ranks x (dimensions + levels)) per method;
/// for blocks, times the number of shapes.
Mapping map_processes(const Mesh& mesh, const Places& places, CartMethod method);

/// For each position, the group of the process that the mapping puts there.
std::vector<int> groups_by_position(const std::vector<int>& new_rank, const std::vector<int>& group);

}  // namespace strata::mpix
