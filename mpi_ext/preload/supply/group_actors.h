// SPDX-License-Identifier: LGPL-2.1-only
// The actors of a group by rank, which identify processes when all are in one address space.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {

inline std::vector<long> members_of(MPI_Group group) {
  int size = 0;
  STRATA_BEHIND(Group_size)(group, &size);
  std::vector<long> members(size);
  for (int r = 0; r < size; ++r) members[r] = group->actor(r);
  return members;
}

inline std::vector<long> members_of(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  STRATA_BEHIND(Comm_group)(comm, &group);
  std::vector<long> members = members_of(group);
  STRATA_BEHIND(Group_free)(&group);
  return members;
}

}  // namespace strata::mpix
