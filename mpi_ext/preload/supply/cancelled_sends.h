// SPDX-License-Identifier: LGPL-2.1-only
// Sends that the program cancels. SMPI numbers the messages of a sender with the same receiver, tag and communicator,
// and receives them in this order. The number of a cancelled one would never come, and no later message would be
// received. Here the receiver skips it.
#pragma once

#include <mpi.h>

namespace strata::mpix {

/// The send has not met its receive, and never will.
void note_cancelled_send(const SMPI_Request& send);

}  // namespace strata::mpix
