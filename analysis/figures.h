// SPDX-License-Identifier: LGPL-2.1-only
// Which charts a run gets: those its study asks for, and for each model the predictions against what was simulated.
#pragma once

#include <string>
#include <vector>

#include "analysis/chart.h"
#include "analysis/table.h"
#include "models/crosscheck.h"

namespace strata::analysis {

struct Figures {
  std::vector<Chart> charts;         // names are unique and fit for files
  std::vector<std::string> skipped;  // plots of which no point is there: "plot 'x': ..."
};

/// The charts of the study, then one a model (several where the study's plots of the metric are several). Colour
/// follows the first parameter of `series`, shape and dashes the others, so that what belongs together looks alike.
/// Throws InputError where a plot names a quantity or a parameter that is not there; std::invalid_argument where a row
/// of the cross-check is of no point of the sweep.
Figures figures(const Results& results, const std::vector<Table>& quantities,
                const std::vector<models::CheckRow>& checks);

}  // namespace strata::analysis
