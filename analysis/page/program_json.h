// SPDX-License-Identifier: LGPL-2.1-only
// A program's run by `strata exec`, or its replay, as a run on a page.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/page/point_json.h"
#include "platforms/placement.h"
#include "records/events.h"
#include "records/levels.h"
#include "records/profile.h"

namespace strata::analysis {

struct ProgramPage {
  std::string program;                         // its name
  std::vector<std::string> command_line = {};  // of strata
  const Machine& machine;
  std::vector<Binding> ranks;
  const Profile& profile;
  std::vector<LevelMessages> levels = {};
  std::filesystem::path traffic = {};  // as in PointFiles
  EventStore events = {};              // as in PointFiles
  bool measured = false;               // computation took simulated time
  std::string failure = {};            // of the simulation; empty if it ended normally
  const TimeReport* time = nullptr;    // as in PointFiles
};

/// The run for the page (page.h). Throws InputError if a file is damaged.
Json program_json(const ProgramPage& page);

}  // namespace strata::analysis
