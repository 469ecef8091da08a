// SPDX-License-Identifier: LGPL-2.1-only
// The traffic of a run's points, as its report shows it: what each level's links carried and which were the busiest,
// for each point whose traffic was kept (traffic/point-N in the results folder; records/record.h).
#pragma once

#include <string>
#include <vector>

#include "records/links.h"
#include "records/record.h"

namespace strata::analysis {

struct LevelTraffic {
  std::string level;
  long links = 0, used = 0;   // how many there are, each way apart; how many carried something
  double bytes = 0;           // of all, a message counting on each link of its way
  double mean = 0, most = 0;  // utilisation
};

struct PointTraffic {
  std::string title;                 // the point's parameters
  std::string folder;                // "traffic/point-3"
  std::vector<LevelTraffic> levels;  // in the order of the file: from the cores outwards
  std::vector<LinkTraffic> busiest;  // by utilisation, then in the order of the file
};

/// How many of the busiest links are shown.
inline constexpr int kBusiestLinks = 8;

/// The levels and the busiest links of one simulation; without title and folder.
PointTraffic summarize_links(const std::vector<LinkTraffic>& links);

/// By point. Throws as read_links (records/links.h).
std::vector<PointTraffic> summarize_traffic(const Results& results);

/// The section of report.md; nothing without traffic.
std::string traffic_markdown(const std::vector<PointTraffic>& points);

}  // namespace strata::analysis
