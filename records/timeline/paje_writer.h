// SPDX-License-Identifier: LGPL-2.1-only
// Timelines of ranks as Paje traces, for ViTE and pj_dump (Debian's pajeng):
//
//   0 c N Core                                containers: machine > node > core > rank, as in records/paje.h
//   1 ts t "MPI function"                     states of a rank, nested: a call contains its waits
//   2 tv0 ts "Computation" "0 0.62 0.45"
//   8 Mm M t t Message                        arrows between ranks
//   3 0.000000000000 t12 t c12 "rank 12"
//   6 0.001000000000 ts t12 tf3               PajePushState: rank 12 calls function 3
//   6 0.001000000000 ts t12 tr7               waits for rank 7
//   9 0.001500000000 Mm M0 t7 message 1 8 42  PajeStartLink: message 1 leaves rank 7, with 8 bytes and tag 42
//   10 0.002000000000 Mm M0 t12 message 1     PajeEndLink: it arrives
//   7 0.002000000000 ts t12                   PajePopState
//
// The outermost state of a rank is its computation. Phases are separate states.
#pragma once

#include "records/timeline/event_timeline.h"
#include "records/timeline/output_file.h"
#include "records/timeline/rank_places.h"

namespace strata {

void write_paje_timeline(EventTimeline& timeline, const RankPlaces& places, OutputFile& out);

}  // namespace strata
