// SPDX-License-Identifier: LGPL-2.1-only
// Runs a trace on a machine: what each rank did, when it would do it there.
//
//   const Trace trace = read_trace("app.strace");
//   const Replayed r = replay(trace, machine, cores);
//   r.ended[3]                                          when rank 3 ends, s
//
// The ranks are programs of steps, the messages flows through the machine's links (flow/), and time goes from event to
// event. What SMPI decides is decided here as there: sends below the eager limit leave at once, and do not keep their
// sender; longer ones leave when their receive is there. On the machine and the cores of the recording the times are
// those of the recorded run.
//
// Moments in which several ranks do something go in rounds, as SimGrid's do: each rank that can go on does one thing,
// in the order in which they were woken, then each does the next. Only where order matters (a network card with a gap,
// adaptive routing) does this show.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/trace/trace.h"
#include "replay/history.h"
#include "replay/traffic.h"

namespace strata::replay {

struct Replayed {
  std::vector<double> ended;  // by rank, s
  double simulated_time = 0;  // s: when the last rank ended
  long messages = 0;
  double bytes = 0;  // of data
};

/// Observers of a replay; null: none. They change nothing.
struct Observers {
  History* history = nullptr;  // empty before
  Traffic* traffic = nullptr;  // the same
};

/// `cores`: by rank, indexes into Topology::cores(); as many as the trace has ranks. Throws InputError where the trace
/// has what a replay does not know, or where no rank can go on: the line says which rank waits for what. O(steps) and
/// what flow::Flows takes for each message.
Replayed replay(const Trace& trace, const Machine& machine, const std::vector<int>& cores,
                const Observers& observers = {});

}  // namespace strata::replay
