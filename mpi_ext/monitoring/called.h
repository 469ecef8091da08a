// Collectives of mpix.h tell the sessions that they are called (Kind::kCollective); what they are made of is marked
// where it is sent (adapter/watched.h).
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/monitoring/collective_meaning.h"

namespace strata::mpix::monitoring {

/// The caller calls a collective on `comm`; `count` elements are what it has for each of those whom it has something
/// for. Where nobody watches one load; else O(ranks). Local. Throws ReportedByMpi.
void called(MPI_Comm comm, Meaning meaning, int root, long count, MPI_Datatype datatype);

/// Whether a session would count a call: for those to whom it costs something to say what is called.
bool wants_calls();

/// The same where it has so many bytes for each of these ranks; one may be there more than once, its own is not
/// counted.
void called(MPI_Comm comm, const std::vector<int>& receivers, const std::vector<std::size_t>& bytes);

}  // namespace strata::mpix::monitoring
