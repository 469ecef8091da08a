// SPDX-License-Identifier: LGPL-2.1-only
// The traffic in a run's report: the load of each level's links and the busiest links, for each point whose traffic was
// recorded (traffic/point-N in the results folder; records/record.h).
#pragma once

#include <string>
#include <vector>

#include "records/links.h"
#include "records/record.h"

namespace strata::analysis {

struct LevelTraffic {
  std::string level;
  long links = 0, used = 0;   // number of links, each direction counted; how many of them carried data
  double bytes = 0;           // total; a message counts on each link of its path
  double mean = 0, most = 0;  // utilisation
};

struct PointTraffic {
  std::string title;                 // the point's parameters
  std::string folder;                // "traffic/point-3"
  std::vector<LevelTraffic> levels;  // in the order of the file, from the cores outwards
  std::vector<LinkTraffic> busiest;  // by utilisation, then in the order of the file
};

/// The number of busiest links to show.
inline constexpr int kBusiestLinks = 8;

/// The levels and the busiest links of one simulation, without title and folder.
PointTraffic summarize_links(const std::vector<LinkTraffic>& links);

/// For each point. Throws as read_links does (records/links.h).
std::vector<PointTraffic> summarize_traffic(const Results& results);

/// The section in report.md; empty without traffic.
std::string traffic_markdown(const std::vector<PointTraffic>& points);

}  // namespace strata::analysis
