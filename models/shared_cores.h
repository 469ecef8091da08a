// SPDX-License-Identifier: LGPL-2.1-only
// Work on cores that is shared evenly: when each task is done, if all tasks that are ready on a core get the same part
// of it (processor sharing, as SimGrid's CPUs and, nearly, an operating system have it). A fluid calculation, event by
// event.
#pragma once

#include <span>
#include <vector>

namespace strata::models {

struct Task {
  int core = 0;            // any number
  double amount = 0;       // s that it takes with the core to itself; 0: nothing to do, only to come after
  std::vector<int> after;  // indexes of the tasks that must be done before it begins
};

/// When each is done, all that wait for none beginning at 0. O(tasks * cores in use). Throws std::invalid_argument
/// where a task waits for itself, directly or not, or for one that is not there.
std::vector<double> share_cores(std::span<const Task> tasks);

}  // namespace strata::models
