// SPDX-License-Identifier: LGPL-2.1-only
// The groups of MPI_Comm_split (MPI 4.0, Section 7.4.2): the ranks of one colour, ordered by their keys, and
// by their old ranks where keys are equal. O(P log P) once for all groups.
#pragma once

#include <map>
#include <vector>

namespace strata::mpix {

/// A rank's arguments of MPI_Comm_split.
struct ColorKey {
  int color = 0;
  int key = 0;
};

/// The group of each colour: old ranks in their new order. `undefined` is the colour of ranks that are in no group.
std::map<int, std::vector<int>> split_groups(const std::vector<ColorKey>& by_rank, int undefined);

}  // namespace strata::mpix
