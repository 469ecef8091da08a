// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast and barrier along the m-nomial tree of levels: a rank starts the sends to its children on one level when
// those of the level above are complete. With m = 2 and 6 ranks:
//
//   0 -> 4;  0 -> 2;  0 -> 1, 2 -> 3, 4 -> 5
//
// IJHPCA'19 splits the tree: application cores do the S lowest levels, and communication cores the others, while the
// application computes. If every rank does all of its levels itself, as here, S does not change the order of messages.
// A barrier is empty messages up this tree, then down.
//
// Cost: ceil(log_m p) levels of (m - 1)(alpha + m beta). Source: IJHPCA'19, section 6; down_the_tree,
// mpi_ext/nbc/schedule_bcast.cc, and schedule_barrier.cc. The rounds are those of begin_round,
// mpi_ext/nbc/rounds_engine.cc.
#include "collectives/schedules/level_steps.h"
#include "collectives/schedules/own_algorithms.h"

namespace strata::collectives {

void down_the_tree(const TreeLevels& tree, const Range& data, Steps& steps) {
  if (tree.parent >= 0) steps.receive(tree.parent, data);
  for (int level = tree.height; level >= 1; --level) {
    std::vector<int> sends;
    for (const auto& child : tree.children) {
      if (child.level == level) sends.push_back(steps.start_send(child.rank, data));
    }
    for (const int request : sends) steps.wait(request);
  }
}

void split_tree_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (call.count == 0) return;
  down_the_tree(levels_of(call, settings, call.root, rank), {Buffer::kOutput, 0, call.count}, steps);
}

void split_tree_barrier(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const TreeLevels tree = levels_of(call, settings, 0, rank);
  const Range nothing = {Buffer::kInput, 0, 0};
  std::vector<int> receives;
  for (const auto& child : tree.children) receives.push_back(steps.start_receive(child.rank, nothing));
  for (const int request : receives) steps.wait(request);
  if (tree.parent >= 0) steps.send(tree.parent, nothing);
  down_the_tree(tree, nothing, steps);
}

}  // namespace strata::collectives
