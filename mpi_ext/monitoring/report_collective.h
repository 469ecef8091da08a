// SPDX-License-Identifier: LGPL-2.1-only
// Collectives of mpix.h report their calls to the sessions (Kind::kCollective). Their messages are marked where they
// are sent (adapter/watched.h).
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/monitoring/collective_meaning.h"

namespace strata::mpix::monitoring {

/// Reports that the caller calls a collective on `comm`, with `count` elements for each rank that it has data for.
/// Costs one load if no session is active, otherwise O(ranks). Local. Throws ReportedByMpi.
void called(MPI_Comm comm, Meaning meaning, int root, long count, MPI_Datatype datatype);

/// Whether a session would count a call. For callers that need time to describe it.
bool wants_calls();

/// The same, with a number of bytes for each of `receivers`. A rank may occur more than once; the caller's own is not
/// counted.
void called(MPI_Comm comm, const std::vector<int>& receivers, const std::vector<std::size_t>& bytes);

}  // namespace strata::mpix::monitoring
