// SPDX-License-Identifier: LGPL-2.1-only
// docs/reproduction.md: every claim of the papers that the runs are about, beside what came out. Generated, never
// edited.
#pragma once

#include <string>
#include <vector>

#include "records/record.h"

namespace strata::analysis {

/// The page: from which runs (scenario, machine and its hash, points) and with which commands, then a row a claim, in
/// the runs' order. The same runs give the same bytes. Throws InputError without a run, or as quantities()
/// does.
std::string reproduction_page(const std::vector<Results>& runs);

}  // namespace strata::analysis
