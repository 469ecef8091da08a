// SPDX-License-Identifier: LGPL-2.1-only
// Area "hsplit": the communicator hierarchy and guided splits (mpi_ext/hierarchy/{split,guided,resource}.h) on all
// small machines with all bindings.
#pragma once

#include <memory>

#include "check/engine/area.h"

namespace strata::check {

std::unique_ptr<Area> hsplit_area();

}  // namespace strata::check
