// SPDX-License-Identifier: LGPL-2.1-only
// A GOAL schedule as a trace (records/trace/trace.h). For example
//
//   l1: recv 8b from 0 tag 5             receive  from rank 0, 8 bytes
//   l2: calc 100                         seconds  100 ns
//   l3: send 8b to 2 tag 5               wait     for the receive
//   l3 requires l1                       send     to rank 2
//   l3 requires l2
//
// A schedule is a graph, and a trace of a rank is a sequence, so the order that a rank of LogGOPSim would find at run
// time is found here: an operation that can start does, receives before all others, then in the order in which they
// became free; where none can, the rank waits for the messages that all operations need which lack nothing else.
// Messages of one size from one sender end in the order in which their receives started. A rank ends when all its
// messages have.
//
// Where it depends on the time which of two operations is first (each needs another message, or one needs a message
// while the other goes on computing), the one that is first in the file goes first, and the trace says so: its only
// function, kGoalOrder, has as many doubts as there are such operations. A rank has one core: operations on several
// cpus are a sequence where they can't overlap, and refused where they can.
//
// A send that all that follows requires is as MPI_Send; another, or one that something irequires, as MPI_Isend.
#pragma once

#include <string>
#include <vector>

#include "records/foreign/goal.h"
#include "records/trace/trace.h"

namespace strata {

inline constexpr const char* kGoalOrder = "GOAL's order";

struct GoalTrace {
  Trace trace;                     // without machine; the cores are 0, 1, ...
  std::vector<std::string> notes;  // what is not as LogGOPSim has it, a line each
};

/// Throws InputError, with the line, for any source, messages without a partner, circles, and cores that overlap.
GoalTrace trace_of(const GoalSchedule& schedule);

}  // namespace strata
