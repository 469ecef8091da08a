// SPDX-License-Identifier: LGPL-2.1-only
// Runs for tests of pages, made without a simulator: ranks in a ring compute, exchange messages with their neighbours
// and reduce; some ranks are late. Traffic and events are written in the simulator's formats.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/page/program_json.h"
#include "platforms/machine.h"
#include "records/levels.h"
#include "records/profile.h"
#include "records/record.h"

namespace strata::analysis {

struct MadeRun {
  Machine machine;
  std::vector<Binding> ranks;
  Profile profile;  // the profile of the events
  std::vector<LevelMessages> levels;
  std::filesystem::path traffic, events;
  long messages = 0;
  double bytes = 0;
};

/// Makes a run on all cores of a machine that is given in one line ("node:2 pack:2 core:3"), and writes its files to
/// `folder`. All ranks pause once, for `pause_s`.
MadeRun make_run(const std::filesystem::path& folder, const std::string& machine, int steps, double pause_s = 0);

/// The page that `strata exec --report` makes from the run.
ProgramPage page_of(const MadeRun& run);

/// Writes a results folder of small_results() (tests/analysis/small_study.h), with traffic and events at points 0 and
/// 3.
Results make_study(const std::filesystem::path& folder, const std::string& title = "");

}  // namespace strata::analysis
