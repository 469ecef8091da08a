// SPDX-License-Identifier: LGPL-2.1-only
// A mesh laid over processes: the data of a Cartesian communicator. Immutable, and the same for all its processes.
// Under SMPI they share it (O(P) over all of them), together with the group of their communicator.
#pragma once

#include <mpi.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/partners.h"

namespace strata::mpix {

/// Frees its group when it is destroyed.
class OwnGroup {
 public:
  explicit OwnGroup(MPI_Group group) : group_(group) {}
  OwnGroup(const OwnGroup&) = delete;
  OwnGroup& operator=(const OwnGroup&) = delete;
  ~OwnGroup() {
    if (group_ != MPI_GROUP_NULL) MPI_Group_free(&group_);
  }
  MPI_Group get() const { return group_; }

 private:
  MPI_Group group_;
};

/// A group that ranks request one after another. It lives as long as one of them holds it. Thread-safe.
class SharedGroup {
 public:
  /// The group; calls `make` if no rank holds it now.
  std::shared_ptr<const OwnGroup> get(const std::function<MPI_Group()>& make) const;

 private:
  mutable std::mutex mutex_;
  mutable std::weak_ptr<const OwnGroup> group_;
};

class Grid {
 public:
  /// `node[position]` is the node of a position.
  Grid(Mesh mesh, CartMethod method, std::vector<int> node);

  const Mesh& mesh() const { return mesh_; }
  CartMethod method() const { return method_; }
  /// Partners in a shift by 1.
  const Partners& partners() const { return partners_; }
  const SharedGroup& group() const { return group_; }

  /// The positions that differ from `position` only in the remaining dimensions, in order.
  std::vector<int> positions_of_sub(const std::vector<bool>& remain, int position) const;
  /// The grid of these positions; all callers share it.
  std::shared_ptr<const Grid> sub(const std::vector<bool>& remain, int position) const;

 private:
  Mesh mesh_;
  CartMethod method_;
  std::vector<int> node_;
  Partners partners_;
  SharedGroup group_;
  mutable std::mutex mutex_;
  mutable std::map<std::vector<int>, std::weak_ptr<const Grid>> subs_;  // by coordinates; -1 in remaining dimensions
};

}  // namespace strata::mpix
