// SPDX-License-Identifier: LGPL-2.1-only
// The message of a request, as far as profile and events need it.
#pragma once

#include "records/event_recorder.h"
#include "sim/simgrid/request.h"

namespace strata::sim {

/// Ends the simulation, because SMPI does not treat messages as this library expects.
[[noreturn]] void refuse_version();

/// The time at which a request's message began to flow; kNotYet if it has not, or if there is no message.
double began(const simgrid::smpi::Request* request);

/// The message of a request, if events are recorded.
Cause cause(const simgrid::smpi::Request* request);

}  // namespace strata::sim
