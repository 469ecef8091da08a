// SPDX-License-Identifier: LGPL-2.1-only
// The split-tree model the slow, obvious way: the tree's messages are listed and counted. What models/split_tree.h says
// in closed form is tested and timed against this. One node only.
#pragma once

#include <vector>

#include "models/split_tree.h"

namespace strata::models {

/// As an all-to-one collective has it.
struct Message {
  int level, from, to;
};

/// Every message of the tree, by sender: v gives to the first of its group on the first level where it is not that
/// itself.
std::vector<Message> messages_of(int ranks, int arity);

/// on_application_cores and on_communication_cores.
LevelTimes slow_times(const SplitTree& t, int steps);

double slow_overlapped(const SplitTree& t, int steps, double computation);
int slow_best_steps(const SplitTree& t, double computation);
Choice slow_choice(SplitTree t, const Computation& computation, const Computation& rest, int least_ranks);

}  // namespace strata::models
