// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/nbc/rounds.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "mpi_ext/nbc/schedule_parts.h"

namespace strata::mpix {
namespace {

void require(const NbcCase& what, bool valid, const char* problem) {
  if (!valid) throw std::invalid_argument("schedule of " + std::string(name_of(what.collective)) + ": " + problem);
}

bool is_reduction(Nbc collective) { return collective == Nbc::kReduce || collective == Nbc::kAllreduce; }

bool has_root(Nbc collective) {
  return collective == Nbc::kBcast || collective == Nbc::kReduce || collective == Nbc::kScatter ||
         collective == Nbc::kGather;
}

bool may_be_in_place(const NbcCase& what) {
  if (what.collective == Nbc::kBcast || what.collective == Nbc::kBarrier) return false;
  return !has_root(what.collective) || what.rank == what.root;
}

LevelTree tree_of(const NbcCase& what) {
  const bool in_order = what.collective == Nbc::kReduce && !what.commutes;
  const int top = has_root(what.collective) && !in_order ? what.root : 0;
  return is_over_nodes(what) ? level_tree_over_nodes(what.rank, what.node_of_rank, top, what.arity)
                             : level_tree(what.rank, what.size, top, what.arity);
}

void require_valid(const NbcCase& what) {
  require(what, what.size >= 1, "size is below 1");
  require(what, what.rank >= 0 && what.rank < what.size, "rank is out of range");
  require(what, what.root >= 0 && what.root < what.size, "root is out of range");
  require(what, what.arity >= 2, "arity is below 2");
  require(what, what.node_of_rank.empty() || std::ssize(what.node_of_rank) == what.size, "not every rank has a node");
  require(what, what.steps >= 0 && what.steps <= most_steps(what), "more steps than the tree has levels");
  require(what, !what.in_place || may_be_in_place(what), "this rank cannot be in place");
}

// With one rank, its own data are the result.
Schedule alone(const NbcCase& what) {
  Schedule schedule;
  const bool moves = what.collective != Nbc::kBcast && what.collective != Nbc::kBarrier;
  if (moves && !what.in_place) schedule.on_thread = {{copy({Buffer::kSend, 0, 1}, {Buffer::kReceive, 0, 1})}};
  return schedule;
}

Schedule schedule_of(const NbcCase& what) {
  if (what.size == 1) return alone(what);
  if (what.collective == Nbc::kScan) return schedule_scan(what);
  const LevelTree tree = tree_of(what);
  switch (what.collective) {
    case Nbc::kBcast:
      return schedule_bcast(what, tree);
    case Nbc::kReduce:
      return schedule_reduce(what, tree);
    case Nbc::kAllreduce:
      return schedule_allreduce(what, tree);
    case Nbc::kScatter:
      return schedule_scatter(what, tree);
    case Nbc::kGather:
      return schedule_gather(what, tree);
    default:
      return schedule_barrier(tree);
  }
}

void find_scratch(Schedule& schedule) {
  for (const auto* rounds : {&schedule.in_call, &schedule.on_thread, &schedule.in_wait}) {
    for (const auto& round : *rounds) {
      for (const auto& action : round) {
        for (const auto& place : {action.from, action.to}) {
          const int end = place.first_block + place.blocks;
          if (place.buffer == Buffer::kScratch) schedule.scratch_blocks = std::max(schedule.scratch_blocks, end);
          if (place.buffer == Buffer::kScratch2) schedule.scratch2_blocks = std::max(schedule.scratch2_blocks, end);
        }
      }
    }
  }
}

}  // namespace

Schedule nbc_schedule(const NbcCase& what) {
  require_valid(what);
  Schedule schedule = schedule_of(what);
  find_scratch(schedule);
  return schedule;
}

int most_steps(const NbcCase& what) {
  if (what.collective == Nbc::kScan || what.collective == Nbc::kBarrier) return 0;
  return tree_of(what).height;
}

// In the tree over nodes, subtrees are not ranges of ranks. But scatter and gather need ranges, and so do operations
// that do not commute.
bool is_over_nodes(const NbcCase& what) {
  const bool of_blocks = what.collective == Nbc::kScatter || what.collective == Nbc::kGather;
  return !what.node_of_rank.empty() && !of_blocks && (!is_reduction(what.collective) || what.commutes);
}

std::string_view name_of(Nbc collective) {
  switch (collective) {
    case Nbc::kBcast:
      return "bcast";
    case Nbc::kReduce:
      return "reduce";
    case Nbc::kAllreduce:
      return "allreduce";
    case Nbc::kScatter:
      return "scatter";
    case Nbc::kGather:
      return "gather";
    case Nbc::kScan:
      return "scan";
    default:
      return "barrier";
  }
}

}  // namespace strata::mpix
