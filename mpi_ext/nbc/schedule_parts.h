// SPDX-License-Identifier: LGPL-2.1-only
// Building blocks of the collectives' schedules: the four actions, and the part of a schedule to which a level belongs.
#pragma once

#include "mpi_ext/nbc/level_tree.h"
#include "mpi_ext/nbc/rounds.h"

namespace strata::mpix {

inline Action send(int peer, const BlockRange& from, int level) { return {Action::Kind::kSend, peer, from, {}, level}; }
inline Action receive(int peer, const BlockRange& to, int level) {
  return {Action::Kind::kReceive, peer, {}, to, level};
}
inline Action combine(const BlockRange& from, const BlockRange& to) { return {Action::Kind::kCombine, -1, from, to}; }
inline Action copy(const BlockRange& from, const BlockRange& to) { return {Action::Kind::kCopy, -1, from, to}; }

/// The part for a level's rounds if levels go up from the leaves: the S lowest come first, in the call.
inline std::vector<Round>& going_up(Schedule& s, int level, int steps) {
  return level <= steps ? s.in_call : s.on_thread;
}
/// The same when they go down: the S lowest come last, in the wait.
inline std::vector<Round>& going_down(Schedule& s, int level, int steps) {
  return level <= steps ? s.in_wait : s.on_thread;
}

/// The schedules of the collectives, for at least two ranks and fields that nbc_schedule has checked. `tree` is the
/// calling rank's tree; for an operation that does not commute its root is rank 0.
Schedule schedule_bcast(const NbcCase& what, const LevelTree& tree);
Schedule schedule_reduce(const NbcCase& what, const LevelTree& tree);
Schedule schedule_allreduce(const NbcCase& what, const LevelTree& tree);
Schedule schedule_scatter(const NbcCase& what, const LevelTree& tree);
Schedule schedule_gather(const NbcCase& what, const LevelTree& tree);
Schedule schedule_scan(const NbcCase& what);
Schedule schedule_barrier(const LevelTree& tree);

/// Appends the way down the tree: from the parent into `place`, then from there to the children, one round per level.
void down_the_tree(const LevelTree& tree, const BlockRange& place, int steps, Schedule& schedule);

}  // namespace strata::mpix
