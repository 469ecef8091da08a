// SPDX-License-Identifier: LGPL-2.1-only
// What must be true of the mappings of Cartesian meshes (mpi_ext/cart/mapping.h) and of what they are made of.
#pragma once

#include <vector>

#include "check/areas/nodecart_case.h"
#include "check/areas/nodecart_outcome.h"
#include "check/engine/domain.h"

namespace strata::check {

using NodecartProperty = Property<NodecartCase, NodecartOutcome>;

/// All of them.
std::vector<NodecartProperty> nodecart_properties();

/// Of meshes, shifts, places and chosen dimensions.
std::vector<NodecartProperty> nodecart_mesh_properties();
/// Of which some case must have each.
std::vector<NodecartProperty> nodecart_sometimes();

}  // namespace strata::check
