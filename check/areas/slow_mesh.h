// SPDX-License-Identifier: LGPL-2.1-only
// A Cartesian mesh by its definition (MPI 4.0, Section 8.5): a list of all coordinates, in which everything is
// searched. The arithmetic in mpi_ext/cart/mesh.h and partners.h is compared with it; it does not call that code.
#pragma once

#include <vector>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/partners.h"

namespace strata::check {

using Coords = std::vector<int>;

/// All coordinates in a mesh of `dims`, in row-major order (the last one fastest).
std::vector<Coords> all_coords(const std::vector<int>& dims);

class SlowMesh {
 public:
  explicit SlowMesh(mpix::Mesh mesh);

  int size() const { return static_cast<int>(coords_.size()); }
  const std::vector<int>& dims() const { return mesh_.dims; }
  int num_dims() const { return static_cast<int>(mesh_.dims.size()); }
  /// By position.
  const std::vector<Coords>& coords() const { return coords_; }
  /// The position of coordinates; -1 if they are off the mesh. Periodic dimensions wrap around.
  int position(Coords coords) const;
  /// For each position, the results of shifts by -1 and +1 along each dimension; -1 if off the mesh.
  const std::vector<std::vector<int>>& partners() const { return partners_; }

  /// Counts partners on and off the group. Partners off the mesh count as off.
  mpix::Partners count(const std::vector<int>& group_of) const;
  /// The total number of partners off the group.
  long count_off(const std::vector<int>& group_of) const;
  /// By position, the number of its block of this shape, which must divide the mesh.
  std::vector<int> blocks(const std::vector<int>& shape) const;

 private:
  mpix::Mesh mesh_;
  std::vector<Coords> coords_;
  std::vector<std::vector<int>> partners_;
};

/// The minimum number of off-node partners over all assignments of positions to nodes of these sizes, by branch and
/// bound. O(exp(size)).
long fewest_off_partners(const SlowMesh& mesh, const std::vector<int>& node_sizes);

}  // namespace strata::check
