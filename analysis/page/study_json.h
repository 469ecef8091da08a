// SPDX-License-Identifier: LGPL-2.1-only
// A results folder as a run on a page: the data of `strata report`, and details of each point with recorded traffic or
// events.
#pragma once

#include <string>
#include <vector>

#include "analysis/page/point_json.h"
#include "models/crosscheck.h"
#include "records/record.h"

namespace strata::analysis {

/// Points whose details do not fit into this size are left out, B. The page says so.
inline constexpr size_t kRoomForPoints = 13'000'000;

struct StudyPage {
  std::vector<int> points = {};  // whose details to show; empty: all
  size_t room = kRoomForPoints;  // B, for this run
};

/// The run for the page (page.h). Throws InputError if the folder is damaged, or a point is not in the sweep.
Json study_json(const Results& results, const std::vector<models::CheckRow>& checks, const StudyPage& options = {});

}  // namespace strata::analysis
