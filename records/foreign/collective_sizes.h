// SPDX-License-Identifier: LGPL-2.1-only
// Computes the block sizes of collective calls from the total bytes that each rank has sent and received. Score-P
// counts bytes as if each block went directly from its owner to each rank that gets it, including the owner itself. For
// example on 4 ranks, in MPI_Allgather of 100 B each rank sends and receives 400 B; in MPI_Bcast the root sends 400 B
// and each rank receives 100 B.
//
// With MPI_IN_PLACE a rank does not count itself: 300 B. Totals that are divisible by the number of ranks are
// interpreted as the usual form, others as MPI_IN_PLACE. MPI_Alltoallv has totals only (calls.h, bytes_between).
#pragma once

#include <string>
#include <vector>

#include "records/foreign/rank_calls.h"

namespace strata {

/// Sets `bytes` or `sizes` of all collective calls, and adds the sizes to `common`, which has the communicators
/// already. The k-th collective calls of the members of a communicator belong together. `ranks` by their number. Throws
/// InputError about `archive` if members call different collectives.
void resolve_collectives(std::vector<RankCalls>& ranks, CommonCalls& common, const std::string& archive);

}  // namespace strata
