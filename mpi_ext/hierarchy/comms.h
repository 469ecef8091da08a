// SPDX-License-Identifier: LGPL-2.1-only
// Communicators of a plan.
//
// Every member knows the members of its new communicators, so each communicator is made by MPI_Comm_create_group, which
// only its own members call. The cost is one call for each communicator that a process gets, including that of the
// roots, and no communication over the communicator that is split. The cost of a call depends on the MPI (a few small
// reductions over the new communicator; under SMPI one broadcast of an integer).
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/hierarchy/split_plan.h"

namespace strata::mpix {

/// The caller's communicators on one level; null if it is in none.
struct LevelComms {
  MPI_Comm newcomm = MPI_COMM_NULL;
  MPI_Comm rootscomm = MPI_COMM_NULL;
};

/// Makes the caller's communicators, at most `max_levels`, outermost first, each level's communicator before that of
/// its roots, and caches its description on each (hlevel_info.h). They have the error handler of `comm`. Collective
/// over `comm`. Throws ReportedByMpi, with all new communicators freed.
std::vector<LevelComms> make_comms(MPI_Comm comm, const Plan& plan, int max_levels, bool with_roots);

/// A communicator of `group`, a subset of the group of `comm`, with the error handler of `comm`. Collective over the
/// group. Simultaneous calls on overlapping groups need different tags. Throws ReportedByMpi.
MPI_Comm make_comm(MPI_Comm comm, MPI_Group group, int tag);

/// Frees a communicator that is not null.
void free_comm(MPI_Comm& comm);

}  // namespace strata::mpix
