// SPDX-License-Identifier: LGPL-2.1-only
// One simulation as data for a page: links, matrix and timeline, if their files exist. For each missing part, it says
// how to record it.
//
//   {"name":"algorithm = linear","number":3,"ranks":240,"order":[...],"entries":[...],"links":L,"samples":S,"matrix":M,
//    "timeline":T,"path":P,"absent":[{"part":"links","why":"the run kept no traffic","remedy":"strata run ..."}]}
//
// L, S and M come from traffic_json.h, T from timeline_json.h, P from path_json.h; missing parts are null. `order`
// lists the ranks in the order of their cores, `entries` these cores as entries of the machine.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/page/timeline_json.h"
#include "analysis/page/traffic_json.h"
#include "analysis/time_report.h"
#include "records/events.h"

namespace strata::analysis {

struct PointFiles {
  std::string name;                           // its parameters
  int number = 0;                             // number among the sweep's points
  std::filesystem::path traffic;              // a folder of traffic; may not exist
  EventStore events;                          // may not exist
  std::string remedy_traffic, remedy_events;  // how to record them
  const TimeReport* time = nullptr;           // for these events; nullptr: compute it
};

struct PointRoom {
  size_t matrix_cells = 40'000;  // for each view
  TimelineRoom timeline;
};

/// Throws InputError if an existing file is damaged or belongs to another number of ranks.
Json point_json(const ShownMachine& machine, const RankOrder& order, const PointFiles& files, const PointRoom& room);

}  // namespace strata::analysis
