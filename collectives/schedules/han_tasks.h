// SPDX-License-Identifier: LGPL-2.1-only
// HAN's broadcast, reduction and allreduce as tasks: in each, the rank that leads its node starts nonblocking
// collectives between the nodes (up) for some segments, and takes part in those on its node (low) for others meanwhile.
// For example, an allreduce of 3 segments:
//
//   task   up, nonblocking          low, meanwhile
//   0                               reduce 0
//   1      reduce 0                 reduce 1
//   2      broadcast 0, reduce 1    reduce 2
//   3      broadcast 1, reduce 2    broadcast 0
//   4      broadcast 2              broadcast 1
//   5                               broadcast 2
//
// A task ends when all of it is done. Within a task, when the nonblocking collectives go on depends on time: they do
// whenever the rank waits for something.
#pragma once

#include <vector>

#include "collectives/schedules/collective.h"
#include "collectives/schedules/rounds.h"

namespace strata::collectives {

struct HanTask {
  std::vector<Rounds> up;            // started in this order
  Steps low;                         // in the first task of a broadcast, it is the blocking broadcast between the nodes
  bool gets_broadcast_late = false;  // the first of `up` is a broadcast, which the rank does not get from the root
};

/// Of `rank` in a broadcast, reduction or allreduce. Segments have Settings::segment_bytes; 0: one segment. A call
/// without elements has no tasks.
std::vector<HanTask> han_tasks(const Collective& call, const Settings& settings, int rank);

/// Appends tasks in one order: the rounds of the nonblocking collectives are distributed evenly over the waits of the
/// other part, and a reduction goes before a broadcast. This is near to what the library does, because both parts take
/// about as long, or the longer one decides; and the root's messages of the broadcast flow meanwhile. There is one
/// difference: a rank that gets a broadcast late starts its receive after the rounds of a reduction, where the library
/// starts it at once, because messages of a schedule have no tags to tell the two apart.
void append_tasks(const std::vector<HanTask>& tasks, Steps& steps);

}  // namespace strata::collectives
