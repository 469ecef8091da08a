// SPDX-License-Identifier: LGPL-2.1-only
// Reduce up the m-nomial tree. Each message costs one receive and one combination, but no local copy: the partial
// result stays where the last message was received (MPI_Reduce_local leaves "mine op child's" in the child's buffer),
// and the next message uses the other of two buffers. So a rank needs at most two blocks of scratch memory, or one if
// recvbuf is the other buffer. The messages of one level are received one after another, which costs nothing if the
// receiver's core copies them anyway. size - 1 messages.
//
// If the operation does not commute, the tree has root 0 and combines ranges of ranks in order. Rank 0 then sends the
// result to the root, on a level above the tree.
//
// Allreduce: a reduce to rank 0 and a broadcast, with 2 (size - 1) messages. The thread levels of both are one part.
#include <utility>

#include "mpi_ext/nbc/schedule_parts.h"

namespace strata::mpix {
namespace {

constexpr BlockRange kResult = {Buffer::kReceive, 0, 1};

// Adds the way up, and returns the place at which the result of the caller's subtree ends. `has_result`: recvbuf is a
// result buffer on this rank. If it does not contain this rank's own data, the last message is received there.
BlockRange up_the_tree(const NbcCase& what, const LevelTree& tree, bool has_result, Schedule& schedule) {
  const BlockRange scratch = {Buffer::kScratch, 0, 1};
  BlockRange into = has_result ? kResult : scratch;
  BlockRange other = has_result ? scratch : BlockRange{Buffer::kScratch2, 0, 1};
  if (what.in_place || tree.children.size() % 2 == 0) std::swap(into, other);

  BlockRange combined = {what.in_place ? Buffer::kReceive : Buffer::kSend, 0, 1};
  for (const auto& child : tree.children) {
    auto& rounds = going_up(schedule, child.level, what.steps);
    rounds.push_back({receive(child.rank, into, child.level)});
    if (what.in_place && what.commutes) {
      rounds.push_back({combine(into, combined)});
      continue;
    }
    rounds.push_back({combine(combined, into)});
    combined = into;
    std::swap(into, other);
  }
  if (tree.parent >= 0) {
    going_up(schedule, tree.parent_level, what.steps).push_back({send(tree.parent, combined, tree.parent_level)});
  }
  return combined;
}

// Called at the root of the tree. The result is elsewhere only if the operation does not commute and is in place.
void move_to_result(const NbcCase& what, const LevelTree& tree, const BlockRange& combined, Schedule& schedule) {
  if (combined != kResult) going_up(schedule, tree.height, what.steps).push_back({copy(combined, kResult)});
}

}  // namespace

Schedule schedule_reduce(const NbcCase& what, const LevelTree& tree) {
  Schedule schedule;
  const bool is_root = what.rank == what.root;
  const bool is_top = tree.parent < 0;
  const BlockRange combined = up_the_tree(what, tree, is_root, schedule);
  if (is_root && is_top) {
    move_to_result(what, tree, combined, schedule);
  } else if (is_top) {
    schedule.on_thread.push_back({send(what.root, combined, tree.height + 1)});
  } else if (is_root) {
    schedule.on_thread.push_back({receive(0, kResult, tree.height + 1)});
  }
  return schedule;
}

Schedule schedule_allreduce(const NbcCase& what, const LevelTree& tree) {
  Schedule schedule;
  const BlockRange combined = up_the_tree(what, tree, true, schedule);
  if (tree.parent < 0) move_to_result(what, tree, combined, schedule);
  down_the_tree(tree, kResult, what.steps, schedule);
  return schedule;
}

}  // namespace strata::mpix
