// SPDX-License-Identifier: LGPL-2.1-only
// A Cartesian mesh of processes: positions, coordinates, and the partners of a shift.
//
// Positions are ranks in the Cartesian communicator: row-major, the last dimension varies fastest (MPI 4.0,
// Section 8.5).
#pragma once

#include <array>
#include <vector>

namespace strata::mpix {

struct Mesh {
  std::vector<int> dims;      // each at least 1; empty: the mesh of one process
  std::vector<bool> periods;  // same size as dims

  int num_dims() const { return static_cast<int>(dims.size()); }
  /// The product of the dimensions. Code that makes a mesh must ensure that it fits an int.
  int size() const;
};

/// The distance of positions that differ by one in each dimension of a mesh. O(dimensions).
std::vector<int> strides_of(const std::vector<int>& dims);

/// The coordinates of a position of the mesh. O(dimensions).
std::vector<int> coords_of(const Mesh& mesh, int position);

/// The position of coordinates. Coordinates of a periodic dimension may be any number (MPI 4.0, Section 8.5.5). -1 if
/// one is off the mesh. O(dimensions).
int position_of(const Mesh& mesh, const std::vector<int>& coords);

/// The two partners of `position` in a shift along `dim` by `displacement`: the source (position - displacement) and
/// the destination; -1 off the mesh. O(dimensions).
std::array<int, 2> shift(const Mesh& mesh, int position, int dim, int displacement);

}  // namespace strata::mpix
