// SPDX-License-Identifier: LGPL-2.1-only
// The lines about error bars that stand below the tables of a run.
#pragma once

#include <string>
#include <vector>

#include "records/record.h"

namespace strata::analysis {

/// A line for a machine without intervals, without a line feed.
std::string no_error_bar_text(const std::string& machine);

/// Nothing if the study has no error bars. Otherwise what the ranges are, or why they are missing, and what they do not
/// cover (blind_errors.h).
std::vector<std::string> bars_lines(const Results& results);
/// The same as a text; each line ends with a line feed.
std::string bars_text(const Results& results);

}  // namespace strata::analysis
