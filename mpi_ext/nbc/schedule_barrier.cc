// SPDX-License-Identifier: LGPL-2.1-only
// Barrier: empty messages up the tree to rank 0 and down again, 2 (size - 1) in total. All levels are for the threads,
// because they cause no significant work.
#include "mpi_ext/nbc/schedule_parts.h"

namespace strata::mpix {

Schedule schedule_barrier(const LevelTree& tree) {
  Schedule schedule;
  Round up;
  for (const auto& child : tree.children) up.push_back(receive(child.rank, {}, child.level));
  if (!up.empty()) schedule.on_thread.push_back(std::move(up));
  if (tree.parent >= 0) schedule.on_thread.push_back({send(tree.parent, {}, tree.parent_level)});
  down_the_tree(tree, {}, 0, schedule);
  return schedule;
}

}  // namespace strata::mpix
