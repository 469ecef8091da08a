// SPDX-License-Identifier: LGPL-2.1-only
// Records the activity of each core for a Gantt chart. Under SMPI the platform plugin receives it, and writes a trace
// (Paje) if one is requested; under a real MPI nothing is recorded.
#pragma once

#include "records/exchange/timeline_recorder.h"

namespace strata::mpix {

/// Records the calling rank's activity from `start` (s, MPI_Wtime) until now. During a wait, a rank may also record
/// other activities; these replace the wait for their time. Local.
void record(Doing what, double start);

/// Records that the calling rank was in the measured region `name` from `start` until now. A trace with such regions
/// contains only them. Overlapping regions of one name on different ranks are merged. Local.
void record_phase(const char* name, double start);

}  // namespace strata::mpix
