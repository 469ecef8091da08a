// SPDX-License-Identifier: LGPL-2.1-only
// The parts of the collectives' schedules: the four actions, and which part of a schedule a level belongs to.
#pragma once

#include "mpi_ext/nbc/level_tree.h"
#include "mpi_ext/nbc/schedule.h"

namespace strata::mpix {

inline Action send(int peer, const BlockRange& from, int level) { return {Action::Kind::kSend, peer, from, {}, level}; }
inline Action receive(int peer, const BlockRange& to, int level) {
  return {Action::Kind::kReceive, peer, {}, to, level};
}
inline Action combine(const BlockRange& from, const BlockRange& to) { return {Action::Kind::kCombine, -1, from, to}; }
inline Action copy(const BlockRange& from, const BlockRange& to) { return {Action::Kind::kCopy, -1, from, to}; }

/// Where a level's rounds belong when levels go up, from the leaves: the S lowest come first, in the call.
inline std::vector<Round>& going_up(Schedule& s, int level, int steps) {
  return level <= steps ? s.in_call : s.on_thread;
}
/// The same when they go down: the S lowest come last, in the wait.
inline std::vector<Round>& going_down(Schedule& s, int level, int steps) {
  return level <= steps ? s.in_wait : s.on_thread;
}

/// The collectives, of two ranks and more and of fields that nbc_schedule has checked. `tree` is the calling rank's;
/// that of an operation that does not commute has rank 0 as its root.
Schedule schedule_bcast(const NbcCase& what, const LevelTree& tree);
Schedule schedule_reduce(const NbcCase& what, const LevelTree& tree);
Schedule schedule_allreduce(const NbcCase& what, const LevelTree& tree);
Schedule schedule_scatter(const NbcCase& what, const LevelTree& tree);
Schedule schedule_gather(const NbcCase& what, const LevelTree& tree);
Schedule schedule_scan(const NbcCase& what);
Schedule schedule_barrier(const LevelTree& tree);

/// Adds the way down the tree: from the parent into `place`, then from there to the children, a round a level.
void down_the_tree(const LevelTree& tree, const BlockRange& place, int steps, Schedule& schedule);

}  // namespace strata::mpix
