// SPDX-License-Identifier: LGPL-2.1-only
// Runs for tests of pages, made without a simulator: ranks in a ring that compute, exchange with their neighbours and
// reduce, every few steps one of them late. Their traffic and events are written as the simulator would.
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
  Profile profile;  // what the events come to
  std::vector<LevelMessages> levels;
  std::filesystem::path traffic, events;
  long messages = 0;
  double bytes = 0;
};

/// On all cores of a machine in a line ("node:2 pack:2 core:3"); the files go to `folder`. All ranks pause once.
MadeRun make_run(const std::filesystem::path& folder, const std::string& machine, int steps, double pause_s = 0);

/// What `strata exec --report` makes of it.
ProgramPage page_of(const MadeRun& run);

/// A results folder of small_results() (tests/analysis/small_study.h), with traffic and events at its points 0 and 3.
Results make_study(const std::filesystem::path& folder, const std::string& title = "");

}  // namespace strata::analysis
