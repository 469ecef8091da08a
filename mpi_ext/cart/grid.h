// SPDX-License-Identifier: LGPL-2.1-only
// A mesh laid over processes: what a Cartesian communicator knows of itself. Immutable, the same for all its processes;
// under SMPI they share it (O(P) over all of them), and with it the group that their communicator is made of.
#pragma once

#include <mpi.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "mpi_ext/cart/mapping.h"
#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/partners.h"

namespace strata::mpix {

/// A group that is freed with this.
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

/// A group that ranks ask for one after another and that lives as long as one of them has it. Thread-safe.
class SharedGroup {
 public:
  /// The group, made by `make` if no rank has it now.
  std::shared_ptr<const OwnGroup> get(const std::function<MPI_Group()>& make) const;

 private:
  mutable std::mutex mutex_;
  mutable std::weak_ptr<const OwnGroup> group_;
};

class Grid {
 public:
  /// `node`: by position, which node it is on.
  Grid(Mesh mesh, CartMethod method, std::vector<int> node);

  const Mesh& mesh() const { return mesh_; }
  CartMethod method() const { return method_; }
  /// Of a shift by 1.
  const Partners& partners() const { return partners_; }
  const SharedGroup& group() const { return group_; }

  /// The positions that differ from `position` in the remaining dimensions alone, in their order.
  std::vector<int> positions_of_sub(const std::vector<bool>& remain, int position) const;
  /// The grid of these, which all who ask for it share.
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
