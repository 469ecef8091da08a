// SPDX-License-Identifier: LGPL-2.1-only
// All areas, in the order in which they are checked.
#pragma once

#include <memory>
#include <vector>

#include "check/engine/area.h"

namespace strata::check {

std::vector<std::unique_ptr<Area>> all_areas();

}  // namespace strata::check
