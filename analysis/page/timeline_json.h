// SPDX-License-Identifier: LGPL-2.1-only
// The events of a run as a page has them: every call of every rank where that is little enough, else the shares of the
// states in as many columns of time as there is room for, and every call in one window of time.
//
// At each moment a rank computes (it is outside MPI), waits (blocked, until its message begins to flow: the other side
// is late) or communicates (in MPI otherwise), as in records/profile.h.
//
//   {"functions":["MPI_Send",...],"end_s":0.004,"ranks":2,"order":[0,1],
//    "calls":{"from_s":0,"to_s":0.004,"ticks":4294967296,"rows":"BASE64","left_out":false},
//    "shares":null,
//    "sums":[{"call":"MPI_Send","count":1,"seconds":...,"waiting":...,"longest":...}],
//    "times":{"computing":[...],"communicating":[...],"waiting":[...],"end":[...]}}
//
// `calls.rows` has, rank after rank, whole numbers in base 128 (the low digits first, the highest bit of a byte set
// where another follows): how many calls there are, then for each call
//
//   the ticks since the call before ended (or since from_s), the function, the ticks that it takes, how often the rank
//   waits in it; for each time the ticks since the call began or the time before ended, the ticks that it waits, and
//   the rank that it waits for, counted from 1 (0: not known)
//
// A tick is (to_s - from_s) / ticks: 10 ps, or less in a run of less than 43 ms. `shares` is
// {"columns":427,"cells":"BASE64"}: rank after rank, column after column, four bytes: the function that takes most of
// the time in MPI, counted from 1 (0: none, 255: any beyond the 254th), and how much of the column the rank computes,
// communicates and waits, of 255.
#pragma once

#include <filesystem>

#include "records/json.h"

namespace strata::analysis {

struct TimelineRoom {
  std::size_t bytes = 6 << 20;         // of calls and of shares together, before BASE64
  std::size_t window_bytes = 2 << 20;  // of these for the calls in the window where all are too many
  /// The window, s; where both are 0, of as many calls in the middle of all as there is room for.
  double from_s = 0, to_s = 0;
};

/// Reads the file twice. Throws InputError as EventReader does.
Json timeline_json(const std::filesystem::path& events, const TimelineRoom& room = {});

}  // namespace strata::analysis
