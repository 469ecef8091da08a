// SPDX-License-Identifier: LGPL-2.1-only
// Area "schedule": the nonblocking collectives (mpi_ext/nbc/rounds.h) on every small communicator: all seven
// collectives, with every root, arity and number of split steps, in place or not, with commutative and noncommutative
// operations, on the flat tree and on the tree over every distribution of the ranks to nodes. IJHPCA'19, Section 6.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/areas/schedule_run.h"
#include "check/engine/area.h"
#include "check/engine/domain.h"
#include "mpi_ext/nbc/level_tree.h"

namespace strata::check {

std::unique_ptr<Area> schedule_area();

/// The results of mpi_ext in a case, by rank.
struct ScheduleOutcome {
  std::vector<mpix::Schedule> schedules;
  std::vector<mpix::Schedule> without_nodes;  // the same without nodes; empty if that may differ
  std::vector<mpix::LevelTree> trees;         // with root 0 if the collective has no root
  std::vector<int> most_steps;
  int height_in_nodes = 0;  // if the tree is over nodes
  ScheduleRun run;          // of `schedules`
};

ScheduleOutcome schedule_outcome(const ScheduleCase& c);

/// The properties of the area; also for tests that apply them to wrong outcomes.
std::vector<Property<ScheduleCase, ScheduleOutcome>> schedule_properties();
/// The part of them about combining, copying and memory.
std::vector<Property<ScheduleCase, ScheduleOutcome>> schedule_work_properties();

/// Converts a case to "reduce,ranks=8,root=3,arity=2,steps=1,in-place,ordered,nodes=0.0.1.1.0.0.1.1", and back. Throws
/// InputError.
std::string schedule_key(const ScheduleCase& c);
ScheduleCase read_schedule_key(const std::string& key);

/// The messages as numbered steps, and as a picture with arrows between ranks.
Drawing draw_schedule(const ScheduleCase& c);

}  // namespace strata::check
