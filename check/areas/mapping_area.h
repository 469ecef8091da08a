// SPDX-License-Identifier: LGPL-2.1-only
// Rank mapping by communication matrix (mpi_ext/reorder), checked on all small machines, placements and patterns.
#pragma once

#include <memory>

#include "check/engine/area.h"

namespace strata::check {

/// "mapping".
std::unique_ptr<Area> mapping_area();

}  // namespace strata::check
