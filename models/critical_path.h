// SPDX-License-Identifier: LGPL-2.1-only
// The critical path of a schedule: the messages, combinations and computations, one after another, that its time is the
// sum of; and how much of it each level of the hierarchy is answerable for.
//
// From the rank that is last, backwards: what a rank waited for is what made it late. A message on the path counts from
// the moment when the last of what it waited for was there (its sender, its receiver, or the message before it) until
// it has arrived; where the sender alone is on the path, what it was busy with it. Where two things end at the same
// moment the path stays with the rank. O(operations).
#pragma once

#include <string>
#include <vector>

#include "models/message_cost.h"
#include "models/schedule.h"
#include "models/schedule_time.h"

namespace strata::models {

/// A message, a combination or a computation of the path.
struct PathStep {
  int from, to;    // ranks; if it is not a message both are the rank that is busy
  bool message;    // or a combination or a computation
  double seconds;  // that it adds to the path
};

/// In the order of time; their seconds add up to the completion. `timing` is that of `schedule` by `model`.
std::vector<PathStep> critical_path(const Machine& machine, const Schedule& schedule, const Timing& timing,
                                    CostModel model);

/// Messages of the path whose ends meet at vertices of one name.
struct LevelShare {
  std::string level;  // "System - Cluster", ...; "Core" for messages between ranks of one core
  int messages;
  double seconds;
};

struct PathSummary {
  std::vector<LevelShare> levels;  // outermost first; levels without messages are not there
  int messages = 0;                // on all levels
  double combine_s = 0;            // combining and computing
};

PathSummary summarize(const MessageCosts& costs, const std::vector<Binding>& ranks, const std::vector<PathStep>& path);

}  // namespace strata::models
