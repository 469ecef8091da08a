// SPDX-License-Identifier: LGPL-2.1-only
// A Cartesian mesh of processes: positions, their coordinates, and the partners of a shift.
//
// Positions are ranks in the Cartesian communicator: row-major, the last dimension varies fastest (MPI 4.0,
// Section 8.5).
#pragma once

#include <array>
#include <vector>

namespace strata::mpix {

struct Mesh {
  std::vector<int> dims;      // each at least 1; none: the mesh of one process
  std::vector<bool> periods;  // as many

  int num_dims() const { return static_cast<int>(dims.size()); }
  /// The product of the dimensions; fits an int (whoever makes a mesh sees to it).
  int size() const;
};

/// How far apart positions are that differ by one in each dimension of a mesh. O(dimensions).
std::vector<int> strides_of(const std::vector<int>& dims);

/// The coordinates of a position of the mesh. O(dimensions).
std::vector<int> coords_of(const Mesh& mesh, int position);

/// The position of coordinates; those of a periodic dimension may be any number (MPI 4.0, Section 8.5.5). -1 where one
/// is off the mesh. O(dimensions).
int position_of(const Mesh& mesh, const std::vector<int>& coords);

/// The two partners of `position` for a shift along `dim` by `displacement`: from where data come (position -
/// displacement), and to where they go; -1 off the mesh. O(dimensions).
std::array<int, 2> shift(const Mesh& mesh, int position, int dim, int displacement);

}  // namespace strata::mpix
