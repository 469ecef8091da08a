// SPDX-License-Identifier: LGPL-2.1-only
// What tables of a run with error bars say about them.
#pragma once

#include <string>
#include <vector>

#include "records/record.h"

namespace strata::analysis {

/// A line for a machine without intervals, without a line feed.
std::string no_error_bar_text(const std::string& machine);

/// Nothing if the study has no error bars. Otherwise what the ranges are, or why there are none, and what they do not
/// cover (blind_errors.h).
std::vector<std::string> bars_lines(const Results& results);
/// The same as a text; each line ends with a line feed.
std::string bars_text(const Results& results);

}  // namespace strata::analysis
