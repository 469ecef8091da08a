// SPDX-License-Identifier: LGPL-2.1-only
// Work on evenly shared cores: the time at which each task is done if all ready tasks of a core get the same part of it
// (processor sharing, as on SimGrid's CPUs and, approximately, in an operating system). A fluid calculation, event by
// event.
#pragma once

#include <span>
#include <vector>

namespace strata::models {

struct Task {
  int core = 0;            // any number
  double amount = 0;       // s that it takes with the core to itself; 0: only a dependency
  std::vector<int> after;  // indexes of the tasks that must be done before it begins
};

/// When each is done, if tasks without predecessors begin at 0. O(tasks * cores in use). Throws std::invalid_argument
/// if a task waits for itself, directly or indirectly, or for one that does not exist.
std::vector<double> share_cores(std::span<const Task> tasks);

}  // namespace strata::models
