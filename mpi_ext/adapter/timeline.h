// SPDX-License-Identifier: LGPL-2.1-only
// Records what each core does, for a Gantt chart. Under SMPI the platform plugin gets it, and writes a trace (Paje) if
// one is requested; under a real MPI nothing is recorded.
#pragma once

#include "records/exchange/timeline_recorder.h"

namespace strata::mpix {

/// Says what the calling rank did from `start` to now, s as MPI_Wtime has them. A wait may hold times in which the rank
/// does something else, and says so too: these count as what they are. Local.
void record(Doing what, double start);

/// Says that the calling rank was in the measured region `name` from `start` to now. A trace that has such regions
/// holds nothing else. Regions of one name that overlap, on different ranks, are one. Local.
void record_phase(const char* name, double start);

}  // namespace strata::mpix
