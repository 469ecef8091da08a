// SPDX-License-Identifier: LGPL-2.1-only
// The events of a run as data for a page. If all calls of all ranks fit, these are the calls. Otherwise they are the
// shares of the states in as many columns of time as fit, and all calls in one window of time.
//
// At any moment, a rank computes (outside MPI), waits (blocked until its message begins to flow, because the other side
// is late) or communicates (otherwise in MPI), as in records/profile.h.
//
//   {"functions":["MPI_Send",...],"end_s":0.004,"ranks":2,"order":[0,1],
//    "calls":{"from_s":0,"to_s":0.004,"ticks":4294967296,"rows":"BASE64","left_out":false},
//    "shares":null,
//    "sums":[{"call":"MPI_Send","count":1,"seconds":...,"waiting":...,"longest":...}],
//    "times":{"computing":[...],"communicating":[...],"waiting":[...],"end":[...]}}
//
// `calls.rows` contains whole numbers in base 128 (low digits first; the highest bit of a byte is set if another byte
// follows). For each rank, they are the number of calls, followed for each call by
//
//   the ticks since the end of the previous call (or since from_s), the function, its duration in ticks, and the number
//   of times that the rank waits in it; for each of these the ticks since the start of the call or the end of the
//   previous wait, its duration in ticks, and the rank for which it waits, counted from 1 (0: unknown)
//
// A tick is (to_s - from_s) / ticks: 10 ps, or shorter if the interval is shorter than 43 ms. `shares` is
// {"columns":427,"cells":"BASE64"}, with four bytes for each rank and column: the function with the largest share of
// the time in MPI, counted from 1 (0: none, 255: any beyond the 254th), and the parts of the column in which the rank
// computes, communicates and waits, out of 255.
#pragma once

#include <cstddef>

#include "base/json.h"
#include "records/events.h"

namespace strata::analysis {

struct TimelineRoom {
  std::size_t bytes = 6 << 20;         // for calls and shares together, before BASE64
  std::size_t window_bytes = 2 << 20;  // the part for the calls in the window, if not all calls fit
  /// The window, s. If both are 0, it contains as many calls from the middle of all as fit.
  double from_s = 0, to_s = 0;
};

/// Reads the events at least twice. Throws InputError as EventReader does.
Json timeline_json(const EventStore& events, const TimelineRoom& room = {});

}  // namespace strata::analysis
