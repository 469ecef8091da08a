// SPDX-License-Identifier: LGPL-2.1-only
// What must be true of the communicator hierarchy on every machine with every binding. Apart from the area, so that
// tests can show each property an outcome that is wrong.
#pragma once

#include <vector>

#include "check/areas/hsplit_case.h"
#include "check/areas/hsplit_outcome.h"
#include "check/engine/domain.h"

namespace strata::check {

using HsplitProperty = Property<HsplitCase, HsplitOutcome>;

/// All of them.
std::vector<HsplitProperty> hsplit_properties();

/// Of guided, hinted and wished splits.
std::vector<HsplitProperty> hsplit_guided_properties();
/// Of which some case must have each.
std::vector<HsplitProperty> hsplit_sometimes();

}  // namespace strata::check
