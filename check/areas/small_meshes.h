// SPDX-License-Identifier: LGPL-2.1-only
// All small Cartesian meshes, and places of processes on small machines of one or several levels.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/places.h"

namespace strata::check {

/// "2x3 periods 01".
std::string text_of(const mpix::Mesh& mesh);

/// All dimensions, ones included, of at least `least_dims` and at most `most_dims`, whose product is `size`.
std::vector<std::vector<int>> all_dims(int size, int least_dims, int most_dims);

/// Each with all combinations of periods.
template <class Visit>
void each_mesh(int size, int least_dims, int most_dims, Visit visit) {
  for (const std::vector<int>& dims : all_dims(size, least_dims, most_dims)) {
    for (unsigned bits = 0; bits < 1U << dims.size(); ++bits) {
      mpix::Mesh mesh{dims, std::vector<bool>(dims.size())};
      for (size_t i = 0; i < dims.size(); ++i) mesh.periods[i] = (bits >> i & 1U) != 0;
      visit(mesh);
    }
  }
}

/// All ways to write `size` as a sum in order, of at most `most_parts`.
std::vector<std::vector<int>> compositions(int size, int most_parts);

/// The groups of each of several levels, the outermost first, by rank; each level refines the one before, and may be
/// the same.
using Groups = std::vector<std::vector<int>>;

/// All ways to put ranks into groups, and these into groups, and so on: `levels` levels. Numbered in the order of their
/// first members.
std::vector<Groups> all_groups(int ranks, int levels);

/// Those of them that ranks fill in order.
std::vector<Groups> all_packed_groups(int ranks, int levels);

/// Those of these that are equal on each level, and smaller than on the level before.
std::vector<Groups> all_equal_groups(int ranks, int levels);

/// The same machine with its ranks in another order: rank r is where rank order[r] was.
mpix::Places reordered(const mpix::Places& places, const std::vector<int>& order);

/// The order in which ranks go round groups that hold `of_each` consecutive ones.
std::vector<int> round_robin(int ranks, int of_each);

}  // namespace strata::check
