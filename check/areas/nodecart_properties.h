// What must be true of the mappings of Cartesian meshes (mpi_ext/cart/mapping.h) and of what they are made of.
#pragma once

#include <vector>

#include "check/engine/domain.h"
#include "check/areas/nodecart_case.h"
#include "check/areas/nodecart_outcome.h"

namespace strata::check {

std::vector<Property<NodecartCase, NodecartOutcome>> nodecart_properties();

}  // namespace strata::check
