// SPDX-License-Identifier: LGPL-2.1-only
// The causes of a run's time as data for a page: the critical path, late ranks, and the balance of its phases.
//
//   {"seconds":0.004,"kinds":["computing","mpi",...],"whole":[...],"by_rank":[{"name":"rank 0","seconds":[...],
//    "messages":3}],"by_function":[...],"by_level":[...],
//    "pieces":[{"from":0,"to":0.001,"kind":"computing","rank":0,"call":"","level":"","sender":-1,"receiver":-1,
//    "bytes":0}],"pieces_left_out":0,
//    "late":{"senders":[{"late":0,"waits":1,"count":2,"seconds":...,"longest":...}],"receivers":[...],"barriers":[...],
//    "left_out":0},
//    "phases":[{"name":"solve","ranks":4,"times":4,"seconds":{"mean":...,"most":...,"least":...,"imbalance":...},...}]}
//
// Arrays of seconds are indexed like `kinds`.
#pragma once

#include "analysis/time_report.h"
#include "base/json.h"

namespace strata::analysis {

/// The maximum numbers of path pieces (the longest are kept), of pairs (the worst), and of shares.
inline constexpr size_t kMostPathPieces = 2000, kMostLatePairs = 200, kMostPathShares = 200;

Json path_json(const TimeReport& report);

}  // namespace strata::analysis
