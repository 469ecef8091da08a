// SPDX-License-Identifier: LGPL-2.1-only
// The choice of where in a Cartesian mesh each process goes: one call over all methods.
//
//   cart        old rank r is position r: what MPI_Cart_create gives where it ignores `reorder`
//   nodecart    EuroMPI'18, Section 2.1: the mesh is cut into one block a node, whose shape the factor rule finds
//               (blocks.h); nodes must have equally many ranks
//   multilevel  EuroMPI'18, Section 2.2: the same on every level of the machine, outermost first: blocks within blocks
//   blocks      as nodecart, but of all shapes that fit the mesh the one with the fewest off-node partners
//   hyperplane, kdtree, strips    von Kirchbach, Lehr, Hunold, Schulz, Traeff, "Efficient Process-to-Node Mapping
//               Algorithms for Stencil Computations", IEEE Cluster 2020: any number of ranks on each node
//   auto        of all of them that are possible the one with the fewest off-node partners; of equals that with the
//               fewest partners in other groups of the further levels, outermost first; of equals the first of: cart
//               and the order above. So never more off-node partners than cart, on any input.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/places.h"

namespace strata::mpix {

enum class CartMethod { kAuto, kCart, kNodecart, kMultilevel, kBlocks, kHyperplane, kKdTree, kStrips };

/// "auto", "cart", "nodecart", ...
std::string_view name_of(CartMethod method);
/// Nothing for a name that is none.
std::optional<CartMethod> find_cart_method(std::string_view name);
/// All, in the order of the enumeration.
const std::vector<CartMethod>& cart_methods();
/// Their names, for a reader: "auto, cart, nodecart, ...".
std::string cart_method_list();
/// Whether a method cuts the mesh into one block a node, and so needs equally many ranks on each.
bool cuts_blocks(CartMethod method);

/// A method that cannot be used on this input: what() says why, and what would be right, in one line.
class Unmappable : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct Mapping {
  CartMethod method = CartMethod::kCart;  // never kAuto: what it chose
  std::vector<int> new_rank;              // by old rank: its position in the mesh; a permutation
  std::vector<int> intradims, interdims;  // of the blocks of a node; empty where nodes have none
};

/// `places` is of as many ranks as the mesh has positions. Throws Unmappable: nodecart, multilevel and blocks where
/// groups are unequal or no block of their size fits. Pure; thread-safe. O(ranks x (dimensions + levels)) a method, and
/// for blocks times the shapes.
Mapping map_processes(const Mesh& mesh, const Places& places, CartMethod method);

/// By position, the group of the process that a mapping puts there.
std::vector<int> groups_by_position(const std::vector<int>& new_rank, const std::vector<int>& group);

}  // namespace strata::mpix
