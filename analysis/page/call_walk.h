// SPDX-License-Identifier: LGPL-2.1-only
// Converts the events of a run to calls: what each rank did over time. Each call is reported when it ends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "records/events.h"

namespace strata::analysis {

/// A wait for another rank inside a call.
struct Waiting {
  double from = 0, to = 0;  // s
  int other = -1;           // the rank for which it waits; -1: unknown
};

/// A call of an MPI function, including the MPI functions that it calls itself.
struct Call {
  int rank = 0, function = 0;
  double from = 0, to = 0;  // s
  std::vector<Waiting> waits;
};

/// Functions called by a walk; may be empty.
struct CallVisitor {
  std::function<void(const Call&)> call;            // in order of time for each rank
  std::function<void(int rank, double end)> ended;  // after the rank's last call
};

struct Walked {
  std::vector<std::string> functions;
  std::vector<int> cores;  // by rank
  double end = 0;          // s
};

/// Walks through a stream of events. A call that never ended ends with its rank. O(ranks + messages) memory. Throws
/// InputError as EventReader does.
Walked walk_calls(const EventStore& events, const CallVisitor& visitor);

}  // namespace strata::analysis
