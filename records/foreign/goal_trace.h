// SPDX-License-Identifier: LGPL-2.1-only
// Converts a GOAL schedule to a trace (records/trace/trace.h). For example
//
//   l1: recv 8b from 0 tag 5             receive  from rank 0, 8 bytes
//   l2: calc 100                         seconds  100 ns
//   l3: send 8b to 2 tag 5               wait     for the receive
//   l3 requires l1                       send     to rank 2
//   l3 requires l2
//
// A schedule is a graph, but the trace of a rank is a sequence. So the conversion determines the order that LogGOPSim
// would find at run time. An operation that can start does: receives first, then the others in the order in which they
// became ready. If none can start, the rank waits for the messages required by all operations that lack only messages.
// Messages of one size from one sender end in the order in which their receives started. A rank ends when all its
// messages have ended.
//
// Sometimes the order of two operations depends on time: each needs a different message, or one needs a message while
// the other continues computing. Then the one that comes first in the file goes first, and the trace says so: its only
// function, kGoalOrder, has one doubt for each such operation. A rank has one core. Operations on several cpus become a
// sequence if they cannot overlap, and are refused if they can.
//
// A send becomes MPI_Send if all later operations require it; otherwise, or if an operation irequires it, MPI_Isend.
#pragma once

#include <string>
#include <vector>

#include "records/foreign/goal.h"
#include "records/trace/trace.h"

namespace strata {

inline constexpr const char* kGoalOrder = "GOAL's order";

struct GoalTrace {
  Trace trace;                     // without machine; the cores are 0, 1, ...
  std::vector<std::string> notes;  // differences from LogGOPSim, one line each
};

/// Throws InputError with the line for receives from any source, messages without a partner, cyclic dependencies, and
/// operations that overlap on several cpus.
GoalTrace trace_of(const GoalSchedule& schedule);

}  // namespace strata
