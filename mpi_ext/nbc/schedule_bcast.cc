// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast down the m-nomial tree; the message is the same on all levels. Each level is a round, so a rank sends to
// its children on one level when those on the level above have the message. The model counts this as steps (IJHPCA'19,
// Eq. 3 to 7). size - 1 messages.
#include "mpi_ext/nbc/schedule_parts.h"

namespace strata::mpix {

void down_the_tree(const LevelTree& tree, const BlockRange& place, int steps, Schedule& schedule) {
  if (tree.parent >= 0) {
    going_down(schedule, tree.parent_level, steps).push_back({receive(tree.parent, place, tree.parent_level)});
  }
  for (int level = tree.height; level >= 1; --level) {
    Round round;
    for (const auto& child : tree.children) {
      if (child.level == level) round.push_back(send(child.rank, place, level));
    }
    if (!round.empty()) going_down(schedule, level, steps).push_back(std::move(round));
  }
}

Schedule schedule_bcast(const NbcCase& what, const LevelTree& tree) {
  Schedule schedule;
  down_the_tree(tree, {Buffer::kReceive, 0, 1}, what.steps, schedule);
  return schedule;
}

}  // namespace strata::mpix
