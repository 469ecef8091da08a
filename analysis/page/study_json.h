// SPDX-License-Identifier: LGPL-2.1-only
// A results folder as a run of a page: what `strata report` says of it, as data, and the details of each point whose
// traffic or events were kept.
#pragma once

#include <string>
#include <vector>

#include "analysis/page/point_json.h"
#include "models/crosscheck.h"
#include "records/record.h"

namespace strata::analysis {

/// The details of more points than fit into this are left out, B. The page says so.
inline constexpr size_t kRoomForPoints = 13'000'000;

struct StudyPage {
  std::vector<int> points = {};  // whose details are shown; empty: all
  size_t room = kRoomForPoints;  // B, of this run
};

/// The document of the run (page.h). Throws InputError where the folder is damaged, or a point is none of the sweep's.
Json study_json(const Results& results, const std::vector<models::CheckRow>& checks, const StudyPage& options = {});

}  // namespace strata::analysis
