// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/cartesian.h"

#include <numeric>
#include <utility>

#include "mpi_ext/adapter/native_cart.h"
#include "mpi_ext/context/attribute.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/hierarchy/comms.h"
#include "mpi_ext/hierarchy/split_plan.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

constexpr int kCartTag = 4;  // 1 to 3 are used for other communicators

struct Cartesian {
  std::shared_ptr<const Grid> grid;
  std::shared_ptr<const OwnGroup> group;  // kept for ranks that have not made this communicator yet
};

using Kept = CommAttribute<Cartesian, OnDup::kCopy>;

// Attaches the grid to a new communicator, and sets the error handler of `comm`.
MPI_Comm completed(MPI_Comm comm, MPI_Comm made, Cartesian cartesian) {
  try {
    inherit_errhandler(comm, made);
    Kept::keep(made, std::move(cartesian));
  } catch (...) {
    free_comm(made);
    throw;
  }
  return made;
}

MPI_Group group_of_comm(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  call(MPI_Comm_group(comm, &group));
  return group;
}

// Makes it from a group in the order of the positions.
MPI_Comm make_of_group(MPI_Comm comm, std::shared_ptr<const Grid> grid, std::shared_ptr<const OwnGroup> group) {
  MPI_Comm made = make_comm(comm, group->get(), kCartTag);
  if (!has_native_cart()) return completed(comm, made, {std::move(grid), std::move(group)});
  try {
    const MPI_Comm native = native_cart(made, grid->mesh().dims, grid->mesh().periods);
    free_comm(made);
    return completed(comm, native, {std::move(grid), nullptr});
  } catch (...) {
    free_comm(made);
    throw;
  }
}

}  // namespace

const Grid& grid_of(MPI_Comm comm) {
  const Cartesian* cartesian = Kept::find(comm);
  if (cartesian == nullptr) check(MPI_ERR_TOPOLOGY);
  return *cartesian->grid;
}

MPI_Comm make_cartesian(MPI_Comm comm, std::shared_ptr<const Grid> grid, const std::vector<int>& ranks) {
  std::shared_ptr<const OwnGroup> group = grid->group().get([&] {
    const OwnGroup all(group_of_comm(comm));
    return group_of(all.get(), ranks);
  });
  return make_of_group(comm, std::move(grid), std::move(group));
}

MPI_Comm make_cartesian_of_first(MPI_Comm comm, std::shared_ptr<const Grid> grid) {
  const int size = grid->mesh().size();
  if (has_native_cart()) {
    const MPI_Comm made = native_cart(comm, grid->mesh().dims, grid->mesh().periods);
    return made == MPI_COMM_NULL ? made : completed(comm, made, {std::move(grid), nullptr});
  }
  if (rank_in(comm) >= size) return MPI_COMM_NULL;
  std::vector<int> ranks(size);
  std::iota(ranks.begin(), ranks.end(), 0);
  return make_cartesian(comm, std::move(grid), ranks);
}

MPI_Comm make_cartesian_of_self(MPI_Comm comm, std::shared_ptr<const Grid> grid) {
  // Not from the group of `comm`: in SMPI, a group takes space up to its highest rank.
  return make_of_group(comm, std::move(grid), std::make_shared<const OwnGroup>(group_of_comm(MPI_COMM_SELF)));
}

}  // namespace strata::mpix
