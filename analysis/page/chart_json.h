// SPDX-License-Identifier: LGPL-2.1-only
// A chart (analysis/chart.h) as data for a page.
#pragma once

#include "analysis/chart.h"
#include "base/json.h"

namespace strata::analysis {

/// {"name","title","x":A,"y":A,"series":[{"label","colour","shape","line","marker","points":[[x,y],...]}],"reference",
///  "stacked","cells":[[column,row,value],...]} with A = {"label","unit","log","categories":[...]}; y and value are
///  null if not measured.
Json chart_json(const Chart& chart);

}  // namespace strata::analysis
