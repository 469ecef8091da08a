// SPDX-License-Identifier: LGPL-2.1-only
// Properties of the local work of ranks in a nonblocking collective: combining, copying, and the memory for it.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "check/areas/schedule_area.h"

namespace strata::check {
namespace {

using mpix::Action;
using mpix::Buffer;
using mpix::LevelTree;
using mpix::Nbc;
using Case = ScheduleCase;
using Outcome = ScheduleOutcome;

constexpr const char* kOurs = "mpi_ext/nbc/rounds.h";

Judgement first_of(const std::string& problem) {
  return problem.empty() ? Judgement::holds() : Judgement::violated(problem);
}

struct Local {
  int combines = 0, copies = 0;
};

Local local_work(const mpix::Schedule& schedule, Part part) {
  Local sum;
  for (const auto& round : part_of(schedule, part)) {
    for (const Action& action : round) {
      sum.combines += action.kind == Action::Kind::kCombine ? 1 : 0;
      sum.copies += action.kind == Action::Kind::kCopy ? 1 : 0;
    }
  }
  return sum;
}

// The number of messages with operands that a rank receives in a part.
int operands_received(const Case& c, const Outcome& o, int rank, Part part) {
  int received = 0;
  for (const Message& m : o.run.messages) {
    if (m.to != rank || m.part_received != part || !is_reduction(c.collective)) continue;
    const bool up = o.trees[m.from].parent == m.to && m.level_sent <= o.trees[0].height;
    received += c.collective == Nbc::kScan || up ? 1 : 0;
  }
  return received;
}

Judgement one_combination_each(const Case& c, const Outcome& o) {
  if (!is_reduction(c.collective)) return Judgement::not_asked();
  for (int rank = 0; rank < c.ranks; ++rank) {
    for (const Part part : kParts) {
      const int combines = local_work(o.schedules[rank], part).combines;
      const int received = operands_received(c, o, rank, part);
      if (combines != received) {
        return violated("rank {} combines {} times {} and receives {} operands", rank, combines, name_of(part),
                        received);
      }
    }
  }
  return Judgement::holds();
}

struct Needs {
  int copies = 0, scratch = 0, scratch2 = 0;
};

// The most copies and memory of a rank that the headers of the schedules promise.
Needs promised(const Case& c, const Outcome& o, int rank) {
  const bool in_place = in_place_at(c, rank), is_root = rank == c.root;
  if (c.ranks == 1) return {.copies = can_be_in_place(c.collective) && !in_place ? 1 : 0};
  const LevelTree& t = o.trees[rank];
  const int children = static_cast<int>(t.children.size());
  switch (c.collective) {
    case Nbc::kReduce:
    case Nbc::kAllreduce:
      return {.copies = in_place && !c.commutes && t.parent < 0 ? 1 : 0,
              .scratch = children > 0 ? 1 : 0,
              .scratch2 = c.collective == Nbc::kReduce && !is_root && children > 1 ? 1 : 0};
    case Nbc::kScan:
      return {.copies = !in_place && (rank == 0 || !c.commutes) ? 1 : 0,
              .scratch = rank > 0 && (in_place || !c.commutes) ? 1 : 0};
    case Nbc::kScatter:
    case Nbc::kGather: {
      if (!is_root) return {.copies = children > 0 ? 1 : 0, .scratch = children > 0 ? t.subtree : 0};
      Needs needs = {.copies = in_place ? 0 : 1};
      for (const auto& child : t.children) {
        if (child.rank + child.subtree <= c.ranks || child.rank < c.root) continue;  // does not wrap around to rank 0
        needs.copies += 2;
        needs.scratch = child.subtree;
      }
      return needs;
    }
    default:
      return {};
  }
}

Judgement few_copies(const Case& c, const Outcome& o) {
  for (int rank = 0; rank < c.ranks; ++rank) {
    int copies = 0;
    for (const Part part : kParts) copies += local_work(o.schedules[rank], part).copies;
    const int most = promised(c, o, rank).copies;
    if (copies > most) return violated("rank {} copies {} times, {} at most", rank, copies, most);
  }
  return Judgement::holds();
}

Judgement scratch_suffices(const Case&, const Outcome& o) { return first_of(o.run.out_of_memory); }

Judgement scratch_is_tight(const Case& c, const Outcome& o) {
  for (int rank = 0; rank < c.ranks; ++rank) {
    const mpix::Schedule& s = o.schedules[rank];
    int used = 0, used2 = 0;
    for (const Part part : kParts) {
      for (const auto& round : part_of(s, part)) {
        for (const Action& action : round) {
          for (const auto& place : {action.from, action.to}) {
            if (place.buffer == Buffer::kScratch) used = std::max(used, place.first_block + place.blocks);
            if (place.buffer == Buffer::kScratch2) used2 = std::max(used2, place.first_block + place.blocks);
          }
        }
      }
    }
    const Needs most = promised(c, o, rank);
    if (s.scratch_blocks != used || s.scratch2_blocks != used2 || used > most.scratch || used2 > most.scratch2) {
      return violated("rank {} has {} + {} blocks of scratch, uses {} + {}; {} + {} at most", rank, s.scratch_blocks,
                      s.scratch2_blocks, used, used2, most.scratch, most.scratch2);
    }
  }
  return Judgement::holds();
}

}  // namespace

std::vector<Property<ScheduleCase, ScheduleOutcome>> schedule_work_properties() {
  return {
      {{"combinations", "a rank combines once for each operand that it receives, in the same part", kOurs},
       one_combination_each},
      {{"copies", "data is copied locally where the header of the schedule says so, nowhere else",
        "mpi_ext/nbc/schedule_{reduce,scan,gather}.cc"},
       few_copies},
      {{"in-memory", "nothing is read or written outside of buffers and scratch", kOurs}, scratch_suffices},
      {{"scratch", "scratch is as large as what is used of it, and no larger than promised",
        "mpi_ext/nbc/schedule_{reduce,scan,gather}.cc"},
       scratch_is_tight},
  };
}

}  // namespace strata::check
