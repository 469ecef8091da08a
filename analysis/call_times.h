// SPDX-License-Identifier: LGPL-2.1-only
// Where the time of a timeline's window went, by MPI function:
//
//   halo on ntw10e5: 48 of 48 ranks, from 0.000 s to 4.950 ms
//
//   MPI function                    calls time, all ranks       share     blocked
//     MPI_Sendrecv                   1920          236 ms      99.7 %      97.1 %
//     outside MPI                                 0.71 ms       0.3 %
//   functions without time: 6
#pragma once

#include <string>

#include "records/timeline/event_timeline.h"

namespace strata::analysis {

/// A call counts where a part of it is in the window. Blocked: until a message has arrived, from when on the rank can't
/// go on without it.
std::string call_times(EventTimeline& timeline);

}  // namespace strata::analysis
