// SPDX-License-Identifier: LGPL-2.1-only
// The message of a request, as far as profile and events need it.
#pragma once

#include "records/event_recorder.h"
#include "sim/simgrid/request.h"

namespace strata::sim {

/// Ends the simulation, because SMPI does not treat messages as this library expects.
[[noreturn]] void refuse_version();

/// When the request's message began to flow, s of simulated time; kNotYet if it has not begun, or if the request has no
/// message.
double began(const simgrid::smpi::Request* request);

/// The message of a request, if events are recorded.
Cause cause(const simgrid::smpi::Request* request);

}  // namespace strata::sim
