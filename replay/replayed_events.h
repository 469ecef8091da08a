// SPDX-License-Identifier: LGPL-2.1-only
// The events of a replay (records/events.h), as if the program had been simulated, and where its ranks' time went.
//
// They differ from those of a simulation in what a trace does not have: MPI functions that neither send, receive nor
// wait; the ends of calls of one function that follow each other, which are one call here; phases; and what a rank
// polled for, so that a poll which finds nothing waits for nothing known.
#pragma once

#include <filesystem>

#include "records/events.h"
#include "records/profile.h"
#include "replay/history.h"

namespace strata::replay {

/// The header has the program, the machine and the functions of the trace, and the cores of the replay. Throws
/// OutputError.
Profile write_events(const History& history, const EventsHeader& header, const std::filesystem::path& file);

}  // namespace strata::replay
