// SPDX-License-Identifier: LGPL-2.1-only
// report.md: what was run, what came out, how it compares with the models and with the papers.
//
// The same results give the same bytes: start and end of the run are left out.
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

/// The whole document; each chart is linked as <name>.svg beside it. Never fails on results that quantities() took.
std::string report_markdown(const Results& results, const std::vector<Table>& quantities, const Figures& figures,
                            const std::vector<ClaimResult>& claims, const std::vector<models::CheckRow>& checks,
                            const std::vector<PointTimeline>& timelines = {},
                            const std::vector<PointTraffic>& traffic = {});

}  // namespace strata::analysis
