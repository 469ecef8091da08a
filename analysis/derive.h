// SPDX-License-Identifier: LGPL-2.1-only
// Derived quantities: the ratio of a metric between two points that differ in one parameter only. For example the
// enhancement factor of RR-9077, native time / hierarchical time.
#pragma once

#include <string>
#include <vector>

#include "analysis/table.h"

namespace strata::analysis {

/// metric(axis = over) / metric(axis = under), over the remaining axes. If `over` is null: metric(axis = v) /
/// metric(axis = under) over all axes, with v every value of the axis except `under`. A cell is empty if one of the two
/// values is missing or the denominator is 0, and has an error bar if both have one; all cells are empty if the sweep
/// was reduced to one side. Throws InputError if the metric has no such axis; `where` is the file named in the error.
Table derive(const Table& metric, const Derived& derived, const std::string& where);

/// All quantities of a run: the main metric, the study's other metrics, and its derived quantities in their order.
std::vector<Table> quantities(const Results& results);

/// The quantity with this name. Throws InputError that lists the quantities; `who` ("claim 'x'") and `where` (its file)
/// say what asks for it.
const Table& quantity_named(const std::vector<Table>& quantities, const std::string& name, const std::string& where,
                            const std::string& who);

}  // namespace strata::analysis
