// SPDX-License-Identifier: LGPL-2.1-only
// The messages for which a blocked rank waits, from the arguments of the MPI function in which it is. For example
// MPI_Recv(buffer, 1, MPI_INT, 3, 7, comm) waits for a message from rank 3 with tag 7.
#pragma once

#include <vector>

#include "native/board/board.h"
#include "records/profile.h"

namespace strata::native {

/// Empty if its arguments do not say: collectives, waits for requests, calls from Fortran. Ranks are those of the
/// call's communicator.
std::vector<Awaited> awaited_by(const Call& call);

}  // namespace strata::native
