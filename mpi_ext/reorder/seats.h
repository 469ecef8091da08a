// SPDX-License-Identifier: LGPL-2.1-only
// The processes in the order of their places, so that the processes below a vertex of the tree form a range.
#pragma once

#include <span>
#include <vector>

#include "mpi_ext/reorder/place_tree.h"

namespace strata::mpix {

/// A seat is a position in that order; a vertex's own seats come before those of its children. O(processes log +
/// vertices).
class Seats {
 public:
  explicit Seats(const PlaceTree& tree);

  int size() const { return static_cast<int>(process_.size()); }
  /// The process (old rank) of a seat.
  int process(int seat) const { return process_[seat]; }
  /// The seats below a vertex, its own included: first, and one past the last.
  int first(int v) const { return first_[v]; }
  int end(int v) const { return end_[v]; }
  int below(int v) const { return end_[v] - first_[v]; }
  /// The number of processes on the vertex itself.
  int own(int v) const { return own_[v]; }
  std::span<const int> children(int v) const {
    return std::span(children_).subspan(first_child_[v], first_child_[v + 1] - first_child_[v]);
  }

 private:
  std::vector<int> process_;
  std::vector<int> first_, end_, own_;
  std::vector<int> first_child_, children_;
};

}  // namespace strata::mpix
