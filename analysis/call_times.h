// SPDX-License-Identifier: LGPL-2.1-only
// Prints the time by MPI function in a window of a timeline:
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

/// Counts each call that lies partly in the window. Blocked: the time until the arrival of a message without which the
/// rank cannot continue.
std::string call_times(EventTimeline& timeline);

}  // namespace strata::analysis
