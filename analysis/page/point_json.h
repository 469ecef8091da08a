// SPDX-License-Identifier: LGPL-2.1-only
// One simulation as a page has it: links, matrix and timeline, as far as its files are there. For each part that is
// missing it says what to switch on.
//
//   {"name":"algorithm = linear","number":3,"ranks":240,"order":[...],"entries":[...],"links":L,"samples":S,"matrix":M,
//    "timeline":T,"path":P,"absent":[{"part":"links","why":"the run kept no traffic","remedy":"strata run ..."}]}
//
// L, S and M are of traffic_json.h, T of timeline_json.h, P of path_json.h; a part that is missing is null. `order` has
// the ranks in the order of their cores, `entries` the cores of these, as entries of the machine.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/page/timeline_json.h"
#include "analysis/page/traffic_json.h"
#include "analysis/time_report.h"

namespace strata::analysis {

struct PointFiles {
  std::string name;                           // its parameters
  int number = 0;                             // of the sweep's points
  std::filesystem::path traffic;              // a folder of traffic, perhaps not there
  std::filesystem::path events;               // perhaps not there
  std::string remedy_traffic, remedy_events;  // what to do where these are missing
  const TimeReport* time = nullptr;           // of the events; nullptr: it is made
};

struct PointRoom {
  size_t matrix_cells = 40'000;  // of each view
  TimelineRoom timeline;
};

/// Throws InputError where a file is there and damaged, or is of another number of ranks.
Json point_json(const ShownMachine& machine, const RankOrder& order, const PointFiles& files, const PointRoom& room);

}  // namespace strata::analysis
