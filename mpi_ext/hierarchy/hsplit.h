// SPDX-License-Identifier: LGPL-2.1-only
// Internal functions that split a communicator along the topology.
#pragma once

#include <mpi.h>

#include <memory>

#include "mpi_ext/hierarchy/member_data.h"
#include "mpi_ext/hierarchy/split_plan.h"

namespace strata::mpix {

/// A request for splits along the topology, down to `max_levels`, which `info` may guide ("mpix_hlevel"). A value that
/// does not name a level becomes an error on all processes. Local.
Request topology_request(MPI_Info info, int max_levels, Agreement& agreement);

/// The plan of a split in which all members take part in rank order. It follows the agreement, to which the caller has
/// added the digest of request.text as value `text`. Collective over `comm`. Sets `plan`, or returns an error on all
/// members: the agreement's; MPI_ERR_INFO if the requests differ; MPI_ERR_OTHER if the place of one is unknown. Throws
/// ReportedByMpi.
int plan_split(MPI_Comm comm, const PlacedAgreement& agreement, size_t text, const Request& request,
               std::shared_ptr<const Plan>& plan);

}  // namespace strata::mpix
