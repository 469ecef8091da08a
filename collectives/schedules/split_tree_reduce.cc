// SPDX-License-Identifier: LGPL-2.1-only
// Reduction and allreduce along the m-nomial tree of levels. A rank receives from one child after another, combines its
// data into what it has received, and uses another buffer for the next. With m = 2 and 6 ranks:
//
//   1 -> 0, 3 -> 2, 5 -> 4;  2 -> 0;  4 -> 0
//
// An allreduce continues with a broadcast from rank 0. If the operation does not commute, the tree is not over nodes
// and has root 0, which sends the result to the root.
//
// Cost: ceil(log_m p) levels of (m - 1)(alpha + m beta + m gamma). Source: IJHPCA'19, section 6;
// mpi_ext/nbc/schedule_reduce.cc.
#include <utility>

#include "collectives/schedules/level_steps.h"
#include "collectives/schedules/own_algorithms.h"

namespace strata::collectives {
namespace {

TreeLevels tree_of(const Collective& call, const Settings& settings, int root, int rank) {
  if (call.commutative) return levels_of(call, settings, root, rank);
  return tree_levels(call.ranks, 0, rank, settings.fanout);
}

// Returns where the result of the rank's subtree ends. `has_result`: the output is a result buffer on this rank.
Buffer up_the_tree(const Collective& call, const TreeLevels& tree, bool in_place, bool has_result, Steps& steps) {
  Buffer into = has_result ? Buffer::kOutput : Buffer::kFirst;
  Buffer other = has_result ? Buffer::kFirst : Buffer::kSecond;
  if (in_place || tree.children.size() % 2 == 0) std::swap(into, other);
  const auto all = [&](Buffer in) { return Range{in, 0, call.count}; };
  Buffer sum = in_place ? Buffer::kOutput : Buffer::kInput;
  for (const auto& child : tree.children) {
    steps.receive(child.rank, all(into));
    if (in_place && call.commutative) {
      steps.combine(all(into), all(sum));
      continue;
    }
    steps.combine(all(sum), all(into));
    sum = into;
    std::swap(into, other);
  }
  if (tree.parent >= 0) steps.send(tree.parent, all(sum));
  return sum;
}

}  // namespace

void split_tree_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (call.count == 0) return;
  const TreeLevels tree = tree_of(call, settings, call.root, rank);
  const bool is_root = rank == call.root, is_top = tree.parent < 0;
  const Range result = {Buffer::kOutput, 0, call.count};
  const Buffer sum = up_the_tree(call, tree, call.in_place && is_root, is_root, steps);
  if (is_root && is_top) {
    steps.copy({sum, 0, call.count}, result);
  } else if (is_top) {
    steps.send(call.root, {sum, 0, call.count});
  } else if (is_root) {
    steps.receive(0, result);
  }
}

void split_tree_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (call.count == 0) return;
  const TreeLevels tree = tree_of(call, settings, 0, rank);
  const Range result = {Buffer::kOutput, 0, call.count};
  const Buffer sum = up_the_tree(call, tree, call.in_place, true, steps);
  if (tree.parent < 0) steps.copy({sum, 0, call.count}, result);
  down_the_tree(tree, result, steps);
}

}  // namespace strata::collectives
