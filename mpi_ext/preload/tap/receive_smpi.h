// SPDX-License-Identifier: LGPL-2.1-only
// The cost of finding and taking a message, for its receiver, under SMPI only (records/exchange/receive_overhead.h).
#pragma once

#include "sim/simgrid/request.h"

namespace strata::mpix {

/// The request is about to start.
void note_end(const simgrid::smpi::Request& request);

/// The calling rank ends this request, which is complete. If it is a receive of the rank, time passes for it.
void take_received(const simgrid::smpi::Request& request);

}  // namespace strata::mpix
