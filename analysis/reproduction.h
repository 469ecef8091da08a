// SPDX-License-Identifier: LGPL-2.1-only
// Generates docs/reproduction.md: every claim of the papers in these runs, compared with our result.
#pragma once

#include <string>
#include <vector>

#include "records/record.h"

namespace strata::analysis {

/// The page lists the runs (scenario, machine and its hash, points) and their commands, and then each claim, in the
/// order of the runs. The same runs give the same bytes. Throws InputError if there is no run, or as quantities() does.
std::string reproduction_page(const std::vector<Results>& runs);

}  // namespace strata::analysis
