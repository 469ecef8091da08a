// SPDX-License-Identifier: LGPL-2.1-only
// Finds the critical path of a replay (records/critical_path.h) in the engine's own records, instead of a program's
// events. These records distinguish the overhead of a send from a reduction's operation, and contain the time that work
// would take alone. Read backwards, each effect comes before its causes, so one pass over the records is sufficient.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/critical_path.h"
#include "replay/costs.h"
#include "replay/history.h"

namespace strata::replay {

/// A part of the path: a rank works, or a message flows. Each begins when the one before ends.
struct PathStep {
  enum class Does : std::uint8_t { kWork, kMessage, kPause, kUnknown };
  double from = 0, to = 0;  // s
  Does does = Does::kUnknown;
  int rank = 0;               // that works; for a message, the one that waits for it
  int function = -1;          // MPI function in which that rank is; -1: none
  std::int64_t message = -1;  // of the history; -1: none
  int charge = -1;            // of the history: a work; -1: none
  int peer = -1;              // the receiver, for the overhead of a send; the sender, for that of a receive
};

/// The path, in order of time. O(records).
std::vector<PathStep> critical_steps(const History& history);

/// The pieces of these steps on the machine, and their sums. `cores` by rank, `machine`: those of the replay.
/// `functions`: the trace's. O(steps * links).
CriticalPath critical_path(const std::vector<PathStep>& steps, const History& history, const Machine& machine,
                           const std::vector<int>& cores, const std::vector<std::string>& functions = {});

/// The time that the steps take if everything else is unchanged and nothing shares cores and links with them; s. With
/// the costs of another machine: the path's time there, except contention, sleeps and waits.
double alone(const std::vector<PathStep>& steps, const History& history, const std::vector<int>& cores, Costs& costs);

}  // namespace strata::replay
