// SPDX-License-Identifier: LGPL-2.1-only
// The split-tree model in the slow, obvious way: lists the messages of the tree and counts them. Tests and benchmarks
// compare the closed forms of models/split_tree.h with it. One node only.
#pragma once

#include <vector>

#include "models/split_tree.h"

namespace strata::models {

/// `from` and `to` are those of an all-to-one collective.
struct Message {
  int level, from, to;
};

/// Every message of the tree, by sender. A rank sends on the first level on which it is not the first of its group, to
/// the first of that group.
std::vector<Message> messages_of(int ranks, int arity);

/// Returns on_application_cores and on_communication_cores.
LevelTimes slow_times(const SplitTree& t, int steps);

double slow_overlapped(const SplitTree& t, int steps, double computation);
int slow_best_steps(const SplitTree& t, double computation);
Choice slow_choice(SplitTree t, const Computation& computation, const Computation& rest, int least_ranks);

}  // namespace strata::models
