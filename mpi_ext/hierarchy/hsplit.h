// SPDX-License-Identifier: LGPL-2.1-only
// Splitting a communicator along the topology, for use inside the library.
#pragma once

#include <mpi.h>

#include <memory>

#include "mpi_ext/hierarchy/members.h"
#include "mpi_ext/hierarchy/plan.h"

namespace strata::mpix {

/// A request for splits along the topology that `info` may guide ("mpix_hlevel"), down to `max_levels`. A value
/// that names no level is everybody's error. Local.
Request topology_request(MPI_Info info, int max_levels, Agreement& agreement);

/// The plan of a split in which all take part in their order, after the agreement, to which the caller has added the
/// digest of request.text as value `text`. Collective over `comm`. Sets `plan`, or returns an error on all members: the
/// agreement's, MPI_ERR_INFO where the requests differ, MPI_ERR_OTHER where one's place is not known. Throws
/// ReportedByMpi.
int plan_split(MPI_Comm comm, const PlacedAgreement& agreement, size_t text, const Request& request,
               std::shared_ptr<const Plan>& plan);

}  // namespace strata::mpix
