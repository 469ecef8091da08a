// SPDX-License-Identifier: LGPL-2.1-only
// Replays a trace on a machine: computes when each rank would do there what it did in the recording.
//
//   const Trace trace = read_trace("app.mpitrace");
//   const Replayed r = replay(trace, machine, cores);
//   r.ended[3]                                          when rank 3 ends, s
//
// Ranks are sequences of steps, messages are flows through the machine's links (flow/), and time goes from event to
// event. SMPI's decisions are made in the same way: sends below the eager limit leave at once and do not block their
// sender; longer ones leave when their receive is posted. On the machine and the cores of the recording, the times are
// those of the recorded run.
//
// If several ranks can act at the same moment, they do so in rounds, as in SimGrid: each rank that can continue does
// one thing, in the order in which they were woken, then each does the next. This matters only where order does (a
// network card with a gap, adaptive routing).
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/trace/trace.h"
#include "replay/history.h"
#include "replay/replay_traffic.h"

namespace strata::replay {

struct Replayed {
  std::vector<double> ended;  // by rank, s
  double simulated_time = 0;  // s: when the last rank ended
  bool is_over = true;        // false: stopped, because ranks still worked at `until_s`
  long messages = 0;
  double bytes = 0;  // of data
};

/// Observers of a replay; null: none. They do not influence it.
struct Observers {
  History* history = nullptr;  // empty before
  Traffic* traffic = nullptr;  // the same
};

/// `cores`: by rank, indexes into Topology::cores(); as many as the trace has ranks. Throws InputError if the trace has
/// steps that a replay does not support, or if no rank can continue: the line says which rank waits for what. O(steps),
/// plus the time of flow::Flows for each message. `until_s`: stops when the simulated time passes it, for a caller who
/// compares with a time that is known; the times of a stopped replay mean nothing.
Replayed replay(const Trace& trace, const Machine& machine, const std::vector<int>& cores,
                const Observers& observers = {}, double until_s = std::numeric_limits<double>::infinity());

}  // namespace strata::replay
