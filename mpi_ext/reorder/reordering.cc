// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/reordering.h"

#include <utility>

#include "mpi_ext/context/attribute.h"
#include "mpi_ext/hierarchy/comms.h"
#include "mpi_ext/hierarchy/split_plan.h"
#include "mpi_ext/reorder/mapping.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

constexpr int kReorderTag = 5;  // 1 to 4 are used for other communicators

struct Reordered {
  std::shared_ptr<const Reordering> reordering;
  std::shared_ptr<const OwnGroup> group;  // kept for ranks that have not made this communicator yet
};

using Kept = CommAttribute<Reordered, OnDup::kCopy>;

MPI_Group reordered_group(MPI_Comm comm, const std::vector<int>& old_rank) {
  MPI_Group all = MPI_GROUP_NULL;
  call(MPI_Comm_group(comm, &all));
  const OwnGroup own(all);
  return group_of(own.get(), old_rank);
}

}  // namespace

Reordering::Reordering(std::vector<int> new_rank) : new_rank_(std::move(new_rank)), old_rank_(inverse(new_rank_)) {}

MPI_Comm make_reordered(MPI_Comm comm, std::shared_ptr<const Reordering> reordering) {
  std::shared_ptr<const OwnGroup> group =
      reordering->group().get([&] { return reordered_group(comm, reordering->old_rank()); });
  MPI_Comm made = make_comm(comm, group->get(), kReorderTag);
  try {
    Kept::keep(made, {std::move(reordering), std::move(group)});
  } catch (...) {
    free_comm(made);
    throw;
  }
  return made;
}

const Reordering& reordering_of(MPI_Comm comm) {
  const Reordered* reordered = Kept::find(comm);
  if (reordered == nullptr) check(MPI_ERR_ARG);
  return *reordered->reordering;
}

}  // namespace strata::mpix
