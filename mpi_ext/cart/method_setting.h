// SPDX-License-Identifier: LGPL-2.1-only
// The method to use on a communicator: set by MPIX_Comm_set_nodecart, otherwise by the environment variable
// MPIX_CART_METHOD, otherwise auto.
#pragma once

#include <mpi.h>

#include <optional>

#include "mpi_ext/cart/cart_mapping.h"

namespace strata::mpix {

/// Empty if the environment variable decides and is not the name of a method. Local. Throws ReportedByMpi.
std::optional<CartMethod> method_for(MPI_Comm comm);

/// Reports on stderr that MPIX_CART_METHOD is not the name of a method, and lists the names.
void report_unknown_method();

}  // namespace strata::mpix
