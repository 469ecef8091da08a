// SPDX-License-Identifier: LGPL-2.1-only
// A Cartesian mesh by its definition (MPI 4.0, Section 8.5): a list of all coordinates, in which everything is looked
// up. The arithmetic of mpi_ext/cart/mesh.h and partners.h is checked against it; it calls none of it.
#pragma once

#include <vector>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/partners.h"

namespace strata::check {

using Coords = std::vector<int>;

/// All coordinates in a mesh of `dims`, row-major: counted up as digits are, the last fastest.
std::vector<Coords> all_coords(const std::vector<int>& dims);

class SlowMesh {
 public:
  explicit SlowMesh(mpix::Mesh mesh);

  int size() const { return static_cast<int>(coords_.size()); }
  const std::vector<int>& dims() const { return mesh_.dims; }
  int num_dims() const { return static_cast<int>(mesh_.dims.size()); }
  /// By position.
  const std::vector<Coords>& coords() const { return coords_; }
  /// -1 off the mesh. In a periodic dimension it goes round until it is in.
  int position(Coords coords) const;
  /// Of each position: a shift by one back and forth along each dimension; -1 off the mesh.
  const std::vector<std::vector<int>>& partners() const { return partners_; }

  /// Off-mesh ones are off.
  mpix::Partners count(const std::vector<int>& group_of) const;
  /// The total that are off.
  long count_off(const std::vector<int>& group_of) const;
  /// By position, the block of this shape that it is in; the shape divides the mesh.
  std::vector<int> blocks(const std::vector<int>& shape) const;

 private:
  mpix::Mesh mesh_;
  std::vector<Coords> coords_;
  std::vector<std::vector<int>> partners_;
};

/// The fewest partners off the nodes of all ways to give the positions to nodes of these sizes, each being tried that
/// may be better. O(exp(size)).
long fewest_off_partners(const SlowMesh& mesh, const std::vector<int>& node_sizes);

}  // namespace strata::check
