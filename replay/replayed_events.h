// SPDX-License-Identifier: LGPL-2.1-only
// Writes the events of a replay (records/events.h), as if the program had been simulated, and returns the profile of
// its ranks' time.
//
// They differ from those of a simulation by the information that a trace lacks: MPI functions that neither send,
// receive nor wait; the boundaries between consecutive calls of one function, which become one call here; phases; and
// the request that a rank polled for, so that a poll without a result waits for nothing known.
#pragma once

#include "records/events.h"
#include "records/profile.h"
#include "replay/history.h"

namespace strata::replay {

/// The header has the program, the machine and the functions of the trace, and the cores of the replay. Throws
/// OutputError.
Profile write_events(const History& history, const EventsHeader& header, const EventStore& into);

}  // namespace strata::replay
