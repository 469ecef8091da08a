// SPDX-License-Identifier: LGPL-2.1-only
// Functions that are called when a nonblocking collective is complete, for example for the combination of the data that
// have been received.
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

#include "sim/simgrid/request.h"

namespace strata::mpix {

/// Starts the parts as one collective. Its MPI_Wait, MPI_Test or similar function calls `then`, once, and frees what it
/// holds.
void start_collective(MPI_Request* request, const std::vector<simgrid::smpi::Request*>& parts,
                      std::function<void()> then);

/// Calls `then` when the collective, which has been started, is complete.
void when_complete(MPI_Request request, std::function<void()> then);

}  // namespace strata::mpix
