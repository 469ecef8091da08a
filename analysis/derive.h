// SPDX-License-Identifier: LGPL-2.1-only
// Derived quantities: the ratio of the metric between two points that differ in one parameter only, such as the
// enhancement factor of RR-9077, native time over hierarchical time.
#pragma once

#include <string>
#include <vector>

#include "analysis/table.h"

namespace strata::analysis {

/// metric(axis = over) / metric(axis = under), over the remaining axes; where `over` is null, metric(axis = v) /
/// metric(axis = under) over all axes, of v every value of the axis but `under`. A cell is empty where one of the two
/// is missing, or where the denominator is 0. All cells are empty where the sweep was reduced to one side. Throws
/// InputError where the metric has no such axis; `where` is the file it names.
Table derive(const Table& metric, const Derived& derived, const std::string& where);

/// All quantities of a run: the metric first, then the study's other metrics, then the derived ones, in its order.
std::vector<Table> quantities(const Results& results);

/// The quantity of that name. Throws InputError that lists them; `who` asks ("claim 'x'"), `where` is the file that
/// does.
const Table& quantity_named(const std::vector<Table>& quantities, const std::string& name, const std::string& where,
                            const std::string& who);

}  // namespace strata::analysis
