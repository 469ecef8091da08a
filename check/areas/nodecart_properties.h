// SPDX-License-Identifier: LGPL-2.1-only
// Properties of the mappings of Cartesian meshes (mpi_ext/cart/cart_mapping.h) and of the functions that they use.
#pragma once

#include <vector>

#include "check/areas/nodecart_case.h"
#include "check/areas/nodecart_outcome.h"
#include "check/engine/domain.h"

namespace strata::check {

using NodecartProperty = Property<NodecartCase, NodecartOutcome>;

/// All of them.
std::vector<NodecartProperty> nodecart_properties();

/// Properties of meshes, shifts, places and chosen dimensions.
std::vector<NodecartProperty> nodecart_mesh_properties();
/// Properties that at least one case must have.
std::vector<NodecartProperty> nodecart_sometimes();

}  // namespace strata::check
