// SPDX-License-Identifier: LGPL-2.1-only
// The compact table for the terminal: what a run came to, in at most 100 columns where one block fits in that.
#pragma once

#include <string>
#include <vector>

#include "models/crosscheck.h"
#include "records/record.h"

namespace strata::analysis {

/// The table(s) of layout.h in fixed width, times in us; the best of each derived quantity; a line a model of the
/// cross-check; a line on points that are missing. Ends with a line feed. Throws InputError as quantities() does.
std::string console_table(const Results& results, const std::vector<models::CheckRow>& checks);

}  // namespace strata::analysis
