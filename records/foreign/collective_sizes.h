// SPDX-License-Identifier: LGPL-2.1-only
// The blocks of collective calls, from the bytes that each rank has sent and received in all. Score-P counts what a
// collective would take if each block went directly from its owner to everyone who gets it, to itself too: on 4 ranks
// MPI_Allgather of 100 B has each send 400 and receive 400, and MPI_Bcast has the root send 400 and each receive 100.
//
// With MPI_IN_PLACE a rank does not count itself: 300. Where the bytes divide by the number of ranks they are taken for
// the usual form, else for that one. MPI_Alltoallv has totals only (calls.h, bytes_between).
#pragma once

#include <string>
#include <vector>

#include "records/foreign/rank_calls.h"

namespace strata {

/// Sets bytes or sizes of all collective calls, and `common`'s sizes; its communicators are there already. The k-th
/// collective call of each member on a communicator is one. `ranks` by their number. Throws InputError about `archive`
/// where members disagree on what they call.
void resolve_collectives(std::vector<RankCalls>& ranks, CommonCalls& common, const std::string& archive);

}  // namespace strata
