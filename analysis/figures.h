// SPDX-License-Identifier: LGPL-2.1-only
// Makes the charts of a run: those that its study requests, and for each model its predictions beside the simulated
// values.
#pragma once

#include <string>
#include <vector>

#include "analysis/chart.h"
#include "analysis/table.h"
#include "models/crosscheck.h"

namespace strata::analysis {

struct Figures {
  std::vector<Chart> charts;         // names are unique and valid for files
  std::vector<std::string> skipped;  // plots without any simulated point: "plot 'x': ..."
};

/// The charts of the study, then one for each model (several if the study's plot of the metric is divided into
/// several). Related lines look alike: the first parameter of `series` determines the colour, the others the shape and
/// dashes. Throws InputError if a plot names an unknown quantity or parameter, and std::invalid_argument if a row of
/// the cross-check belongs to no point of the sweep.
Figures figures(const Results& results, const std::vector<Table>& quantities,
                const std::vector<models::CheckRow>& checks);

}  // namespace strata::analysis
