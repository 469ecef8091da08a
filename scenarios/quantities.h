// SPDX-License-Identifier: LGPL-2.1-only
// The quantities that a scenario derives from its measurements: metrics, derived quantities, plots and the claims of
// papers.
#pragma once

#include <string>
#include <vector>

#include "base/keys.h"
#include "records/study.h"

namespace strata {

/// The rows for these keys of a scenario, in the order in which they are read, since later ones name quantities of
/// earlier ones.
Keys<Study> quantity_keys();

/// The names of the metrics and of the derived quantities.
std::vector<std::string> quantities_of(const Study& study);

}  // namespace strata
