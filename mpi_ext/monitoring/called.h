// SPDX-License-Identifier: LGPL-2.1-only
// Collectives of mpix.h tell the sessions that they are called (Kind::kCollective); what they are made of is marked
// where it is sent (adapter/watched.h).
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/monitoring/collective_meaning.h"

namespace strata::mpix::monitoring {

/// The caller calls a collective on `comm`, with `count` elements for each rank that it has data for. Costs one load if
/// no session is active; else O(ranks). Local. Throws ReportedByMpi.
void called(MPI_Comm comm, Meaning meaning, int root, long count, MPI_Datatype datatype);

/// Whether a session would count a call: for callers to which describing the call costs time.
bool wants_calls();

/// The same with this many bytes for each of these ranks; a rank may occur more than once, its own is not
/// counted.
void called(MPI_Comm comm, const std::vector<int>& receivers, const std::vector<std::size_t>& bytes);

}  // namespace strata::mpix::monitoring
