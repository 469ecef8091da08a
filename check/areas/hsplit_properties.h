// SPDX-License-Identifier: LGPL-2.1-only
// Properties of the communicator hierarchy, which must hold on every machine with every binding. They are separate from
// the area, so that tests can apply each property to a wrong outcome.
#pragma once

#include <vector>

#include "check/areas/hsplit_case.h"
#include "check/areas/hsplit_outcome.h"
#include "check/engine/domain.h"

namespace strata::check {

using HsplitProperty = Property<HsplitCase, HsplitOutcome>;

/// All of them.
std::vector<HsplitProperty> hsplit_properties();

/// Properties of guided, hinted and wished splits.
std::vector<HsplitProperty> hsplit_guided_properties();
/// Properties that at least one case must have.
std::vector<HsplitProperty> hsplit_sometimes();

}  // namespace strata::check
