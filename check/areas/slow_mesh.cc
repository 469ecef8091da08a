// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/slow_mesh.h"

#include <algorithm>
#include <climits>
#include <set>
#include <utility>

namespace strata::check {
namespace {

mpix::PartnerCount count_of(const std::vector<int>& numbers) {
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  long total = 0;
  for (int n : numbers) total += n;
  return {*least, *most, total};
}

// Branch and bound: assigns each position to every node in turn, until the partners off the nodes reach the best
// result.
class Assignments {
 public:
  Assignments(const SlowMesh& mesh, const std::vector<int>& sizes) : mesh_(mesh), left_(sizes), node_(mesh.size(), -1) {
    for (const std::vector<int>& partners : mesh.partners()) fixed_ += std::count(partners.begin(), partners.end(), -1);
    place(0, 0);
  }

  long best() const { return best_ + fixed_; }

 private:
  void place(int position, long off) {
    if (off >= best_) return;
    if (position == mesh_.size()) {
      best_ = off;
      return;
    }
    std::set<int> fresh;  // sizes of empty nodes: trying one node of each size is enough
    for (int n = 0; n < static_cast<int>(left_.size()); ++n) {
      if (left_[n] == 0) continue;
      const bool is_fresh = std::find(node_.begin(), node_.begin() + position, n) == node_.begin() + position;
      if (is_fresh && !fresh.insert(left_[n]).second) continue;
      long more = 0;  // off-node partners among positions that already have a node
      for (int partner : mesh_.partners()[position]) more += partner >= 0 && partner < position && node_[partner] != n;
      --left_[n];
      node_[position] = n;
      place(position + 1, off + 2 * more);
      node_[position] = -1;
      ++left_[n];
    }
  }

  const SlowMesh& mesh_;
  std::vector<int> left_, node_;
  long fixed_ = 0, best_ = LONG_MAX;  // partners off the mesh; partners off the nodes
};

}  // namespace

std::vector<Coords> all_coords(const std::vector<int>& dims) {
  std::vector<Coords> all;
  Coords at(dims.size(), 0);
  for (;;) {
    all.push_back(at);
    size_t i = dims.size();
    while (i > 0 && ++at[i - 1] == dims[i - 1]) at[--i] = 0;
    if (i == 0) return all;
  }
}

SlowMesh::SlowMesh(mpix::Mesh mesh) : mesh_(std::move(mesh)), coords_(all_coords(mesh_.dims)) {
  partners_.resize(coords_.size());
  for (int p = 0; p < size(); ++p) {
    for (int dim = 0; dim < num_dims(); ++dim) {
      for (int step : {-1, 1}) {
        Coords next = coords_[p];
        next[dim] += step;
        partners_[p].push_back(position(std::move(next)));
      }
    }
  }
}

int SlowMesh::position(Coords coords) const {
  for (int i = 0; i < num_dims(); ++i) {
    while (mesh_.periods[i] && coords[i] < 0) coords[i] += mesh_.dims[i];
    while (mesh_.periods[i] && coords[i] >= mesh_.dims[i]) coords[i] -= mesh_.dims[i];
  }
  const auto found = std::lower_bound(coords_.begin(), coords_.end(), coords);  // row-major order is lexicographic
  return found != coords_.end() && *found == coords ? static_cast<int>(found - coords_.begin()) : -1;
}

mpix::Partners SlowMesh::count(const std::vector<int>& group_of) const {
  std::vector<int> on(size(), 0), off(size(), 0);
  for (int p = 0; p < size(); ++p) {
    for (int partner : partners_[p]) ++(partner >= 0 && group_of[partner] == group_of[p] ? on : off)[p];
  }
  return {count_of(on), count_of(off)};
}

long SlowMesh::count_off(const std::vector<int>& group_of) const { return count(group_of).off.total; }

std::vector<int> SlowMesh::blocks(const std::vector<int>& shape) const {
  std::vector<int> group(size(), 0);
  for (int p = 0; p < size(); ++p) {
    for (size_t i = 0; i < shape.size(); ++i) {
      group[p] = group[p] * (mesh_.dims[i] / shape[i]) + coords_[p][i] / shape[i];
    }
  }
  return group;
}

long fewest_off_partners(const SlowMesh& mesh, const std::vector<int>& node_sizes) {
  return Assignments(mesh, node_sizes).best();
}

}  // namespace strata::check
