// SPDX-License-Identifier: LGPL-2.1-only
// Gather up the m-nomial tree. Each message contains a whole subtree, so messages double (grow m times) from level to
// level (IJHPCA'19, Eq. 8). A subtree is a range of ranks counted from the root. An inner rank collects its subtree in
// scratch memory in that order, beginning with its own block; Eq. 8 does not count this copy. The root receives blocks
// at their final places, except the one message whose ranks continue from the last to rank 0: it is received in scratch
// memory and copied in two pieces. The messages of one level are received in one round. size - 1 messages.
#include <algorithm>

#include "mpi_ext/nbc/schedule_parts.h"

namespace strata::mpix {

Schedule schedule_gather(const NbcCase& what, const LevelTree& tree) {
  Schedule schedule;
  const bool is_root = what.rank == what.root;
  const auto from_root = [&](int rank) { return (rank < what.root ? rank + what.size : rank) - what.root; };
  const BlockRange own = {Buffer::kSend, 0, 1};
  for (int level = 1; level <= tree.height; ++level) {
    auto& rounds = going_up(schedule, level, what.steps);
    Round received, moved;
    for (const auto& child : tree.children) {
      if (child.level != level) continue;
      const int before_end = std::min(child.subtree, what.size - child.rank);
      const bool wraps = before_end < child.subtree;
      BlockRange to = {Buffer::kReceive, child.rank, child.subtree};
      if (!is_root) to = {Buffer::kScratch, from_root(child.rank) - from_root(what.rank), child.subtree};
      if (is_root && wraps) {
        to = {Buffer::kScratch, 0, child.subtree};
        moved.push_back(copy({Buffer::kScratch, 0, before_end}, {Buffer::kReceive, child.rank, before_end}));
        moved.push_back(copy({Buffer::kScratch, before_end, child.subtree - before_end},
                             {Buffer::kReceive, 0, child.subtree - before_end}));
      }
      received.push_back(receive(child.rank, to, level));
    }
    if (received.empty()) break;
    if (level == 1 && !what.in_place) {
      received.push_back(
          copy(own, is_root ? BlockRange{Buffer::kReceive, what.rank, 1} : BlockRange{Buffer::kScratch, 0, 1}));
    }
    rounds.push_back(std::move(received));
    if (!moved.empty()) rounds.push_back(std::move(moved));
  }
  if (!is_root) {
    const BlockRange collected = tree.children.empty() ? own : BlockRange{Buffer::kScratch, 0, tree.subtree};
    going_up(schedule, tree.parent_level, what.steps).push_back({send(tree.parent, collected, tree.parent_level)});
  }
  return schedule;
}

}  // namespace strata::mpix
