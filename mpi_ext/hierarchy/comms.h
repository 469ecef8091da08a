// SPDX-License-Identifier: LGPL-2.1-only
// Communicators of a plan.
//
// Every member knows who is in its new communicators, so each is made by MPI_Comm_create_group, which only its own
// members call: one call for each communicator that a process gets, that of the roots included, and nothing over the
// communicator that is split. What a call costs is the MPI's business (a handful of small reductions over the new
// communicator; under SMPI one broadcast of an integer).
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/hierarchy/plan.h"

namespace strata::mpix {

/// The caller's communicators on one level; null where it is in none.
struct LevelComms {
  MPI_Comm newcomm = MPI_COMM_NULL;
  MPI_Comm rootscomm = MPI_COMM_NULL;
};

/// Makes the communicators of the caller, at most `max_levels`, each level's communicator before that of its roots,
/// outermost first, and caches on each what it is (hlevel_info.h). They have the error handler of `comm`. Collective
/// over `comm`. Throws ReportedByMpi; no communicator is left then.
std::vector<LevelComms> make_comms(MPI_Comm comm, const Plan& plan, int max_levels, bool with_roots);

/// A communicator of `group`, a part of that of `comm`, with the error handler of `comm`. Collective over the group.
/// Two calls at once on overlapping groups need tags that differ. Throws ReportedByMpi.
MPI_Comm make_comm(MPI_Comm comm, MPI_Group group, int tag);

/// Frees a communicator that is not null.
void free_comm(MPI_Comm& comm);

}  // namespace strata::mpix
