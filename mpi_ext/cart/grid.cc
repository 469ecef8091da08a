// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/grid.h"

#include <utility>

namespace strata::mpix {

std::shared_ptr<const OwnGroup> SharedGroup::get(const std::function<MPI_Group()>& make) const {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const OwnGroup> group = group_.lock();
  if (group == nullptr) group_ = group = std::make_shared<const OwnGroup>(make());
  return group;
}

Grid::Grid(Mesh mesh, CartMethod method, std::vector<int> node)
    : mesh_(std::move(mesh)), method_(method), node_(std::move(node)), partners_(count_partners(mesh_, node_)) {}

std::vector<int> Grid::positions_of_sub(const std::vector<bool>& remain, int position) const {
  // Begins with the first position, then adds all steps along each remaining dimension; the last dimension varies
  // fastest.
  const std::vector<int> at = coords_of(mesh_, position);
  const std::vector<int> strides = strides_of(mesh_.dims);
  int first = position, size = 1;
  for (int i = 0; i < mesh_.num_dims(); ++i) {
    if (!remain[i]) continue;
    first -= at[i] * strides[i];
    size *= mesh_.dims[i];
  }
  std::vector<int> positions = {first};
  positions.reserve(size);
  for (int i = 0; i < mesh_.num_dims(); ++i) {
    if (!remain[i]) continue;
    std::vector<int> more;
    more.reserve(positions.size() * mesh_.dims[i]);
    for (int p : positions) {
      for (int c = 0; c < mesh_.dims[i]; ++c) more.push_back(p + c * strides[i]);
    }
    positions = std::move(more);
  }
  return positions;
}

std::shared_ptr<const Grid> Grid::sub(const std::vector<bool>& remain, int position) const {
  std::vector<int> key = coords_of(mesh_, position);
  for (int i = 0; i < mesh_.num_dims(); ++i) {
    if (remain[i]) key[i] = -1;
  }
  const std::lock_guard lock(mutex_);
  if (const auto at = subs_.find(key); at != subs_.end()) {
    if (std::shared_ptr<const Grid> grid = at->second.lock()) return grid;
  }
  Mesh mesh;
  for (int i = 0; i < mesh_.num_dims(); ++i) {
    if (!remain[i]) continue;
    mesh.dims.push_back(mesh_.dims[i]);
    mesh.periods.push_back(mesh_.periods[i]);
  }
  std::vector<int> node = positions_of_sub(remain, position);
  for (int& n : node) n = node_[n];
  auto grid = std::make_shared<const Grid>(std::move(mesh), method_, std::move(node));
  subs_[key] = grid;
  return grid;
}

}  // namespace strata::mpix
