// SPDX-License-Identifier: LGPL-2.1-only
// The rank that calls. All ranks are in one process, and run one at a time: SMPI gives them the actor ids 1 to n.
#pragma once

namespace strata::mpix {

/// In MPI_COMM_WORLD, also of a thread that a rank has started. -1: the simulator, or a thread unknown to SimGrid.
int current_rank();

/// Whether the caller is a rank itself and not one of its threads.
bool is_rank_itself();

}  // namespace strata::mpix
