// SPDX-License-Identifier: LGPL-2.1-only
// A communicator with reordered ranks: how it is made, and the permutation that is kept with it.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "mpi_ext/cart/grid.h"

namespace strata::mpix {

/// The old and new ranks of all processes. Immutable; under SMPI all ranks share one.
class Reordering {
 public:
  /// `new_rank` is a permutation, indexed by old rank.
  explicit Reordering(std::vector<int> new_rank);

  const std::vector<int>& new_rank() const { return new_rank_; }
  /// The inverse, indexed by new rank.
  const std::vector<int>& old_rank() const { return old_rank_; }
  const SharedGroup& group() const { return group_; }

 private:
  std::vector<int> new_rank_, old_rank_;
  SharedGroup group_;
};

/// The communicator of all processes of `comm` in their new order, with its error handler. Collective over `comm`.
/// Throws ReportedByMpi, with everything released.
MPI_Comm make_reordered(MPI_Comm comm, std::shared_ptr<const Reordering> reordering);

/// The reordering of a communicator from make_reordered, or of a dup of it. Local. Throws Unreported (MPI_ERR_ARG) for
/// any other communicator; ReportedByMpi.
const Reordering& reordering_of(MPI_Comm comm);

}  // namespace strata::mpix
