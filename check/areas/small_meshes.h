// SPDX-License-Identifier: LGPL-2.1-only
// All small Cartesian meshes, and places of processes on small machines of one or several levels.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mpi_ext/cart/level_groups.h"
#include "mpi_ext/cart/mesh.h"

namespace strata::check {

/// "2x3 periods 01".
std::string text_of(const mpix::Mesh& mesh);

/// All dimensions with product `size`, including ones; at least `least_dims` and at most `most_dims` of them.
std::vector<std::vector<int>> all_dims(int size, int least_dims, int most_dims);

/// Visits each mesh of these dimensions with all combinations of periods.
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

/// All ordered sums of at most `most_parts` parts that give `size`.
std::vector<std::vector<int>> compositions(int size, int most_parts);

/// The groups of several levels, outermost first, by rank. Each level refines the previous one, or is equal to it.
using Groups = std::vector<std::vector<int>>;

/// All ways to nest ranks in groups with `levels` levels. Groups are numbered in the order of their first members.
std::vector<Groups> all_groups(int ranks, int levels);

/// Those whose groups are filled by ranks in order.
std::vector<Groups> all_packed_groups(int ranks, int levels);

/// Those filled in order whose groups have equal sizes on each level, smaller than on the previous level.
std::vector<Groups> all_equal_groups(int ranks, int levels);

/// The same machine with its ranks in a different order: rank r is at the place of rank order[r].
mpix::Places reordered(const mpix::Places& places, const std::vector<int>& order);

/// The order of ranks that go round-robin over groups of `of_each` consecutive ranks.
std::vector<int> round_robin(int ranks, int of_each);

}  // namespace strata::check
