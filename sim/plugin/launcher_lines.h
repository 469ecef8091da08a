// SPDX-License-Identifier: LGPL-2.1-only
// Lines for the launcher, such as "@strata deadlock": on stderr, or in the file that STRATA_REPORT names if stderr
// belongs to the user (strata exec).
#pragma once

#include <string_view>

namespace strata::sim {

/// Opens the file. Call it once, before the others. If the file cannot be opened, lines go to stderr. Returns whether
/// they go to a file.
bool open_report();

/// Writes a line feed, the line and another line feed. Safe in a signal handler.
void report(std::string_view line);

}  // namespace strata::sim
