// SPDX-License-Identifier: LGPL-2.1-only
// The critical path of a schedule: the sequence of messages, combinations and computations whose times add up to the
// schedule's time, and the share of each level of the hierarchy.
//
// It is found backwards from the rank that finishes last: the event for which a rank waited made it late. A message on
// the path counts from the moment when the last of its preconditions was met (its sender, its receiver, or the message
// before it) until it has arrived. If only the sender is on the path, the time counts for which it was busy with the
// message. If two events end at the same moment, the path stays with the rank. O(operations).
#pragma once

#include <string>
#include <vector>

#include "models/message_cost.h"
#include "models/schedule.h"
#include "models/schedule_time.h"

namespace strata::models {

/// A message, a combination or a computation of the path.
struct PathStep {
  int from, to;    // ranks; both are the busy rank if it is not a message
  bool message;    // otherwise a combination or a computation
  double seconds;  // its contribution to the path
};

/// In time order; their seconds add up to the completion. `timing` is that of `schedule` by `model`.
std::vector<PathStep> critical_path(const Machine& machine, const Schedule& schedule, const Timing& timing,
                                    CostModel model);

/// Messages of the path whose ends meet at vertices with the same name.
struct LevelShare {
  std::string level;  // "System - Cluster", ...; "Core" for messages between ranks of one core
  int messages;
  double seconds;
};

struct PathSummary {
  std::vector<LevelShare> levels;  // outermost first; levels without messages are left out
  int messages = 0;                // on all levels
  double combine_s = 0;            // combining and computing
};

PathSummary summarize(const MessageCosts& costs, const std::vector<Binding>& ranks, const std::vector<PathStep>& path);

}  // namespace strata::models
