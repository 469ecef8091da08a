// SPDX-License-Identifier: LGPL-2.1-only
// The compact table for the terminal: a summary of a run, in at most 100 columns if a block fits into them.
#pragma once

#include <string>
#include <vector>

#include "models/crosscheck.h"
#include "records/record.h"

namespace strata::analysis {

/// The tables of layout.h with fixed width and times in us, lines about error bars (bars_text.h), the best value of
/// each derived quantity, a line for each model in the cross-check, and a line about missing points. Ends with a line
/// feed. Throws InputError as quantities() does.
std::string console_table(const Results& results, const std::vector<models::CheckRow>& checks);

}  // namespace strata::analysis
