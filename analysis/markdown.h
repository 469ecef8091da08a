// SPDX-License-Identifier: LGPL-2.1-only
// Writes report.md: what was run, the results, and how they compare with the models and the papers.
//
// The same results give the same bytes, since start and end of the run are left out.
#pragma once

#include <string>
#include <vector>

#include "analysis/claims.h"
#include "analysis/figures.h"
#include "analysis/point_timeline.h"
#include "analysis/point_traffic.h"
#include "analysis/table.h"
#include "models/crosscheck.h"

namespace strata::analysis {

/// The whole document, with links to <name>.svg beside it for each chart. Never fails for results that quantities()
/// accepts.
std::string report_markdown(const Results& results, const std::vector<Table>& quantities, const Figures& figures,
                            const std::vector<ClaimResult>& claims, const std::vector<models::CheckRow>& checks,
                            const std::vector<PointTimeline>& timelines = {},
                            const std::vector<PointTraffic>& traffic = {});

}  // namespace strata::analysis
