// SPDX-License-Identifier: LGPL-2.1-only
// The method that is to be used on a communicator: what MPIX_Comm_set_nodecart has said, else what the environment
// variable MPIX_CART_METHOD says, else auto.
#pragma once

#include <mpi.h>

#include <optional>

#include "mpi_ext/cart/mapping.h"

namespace strata::mpix {

/// Nothing where it would be the environment's, which names none. Local. Throws ReportedByMpi.
std::optional<CartMethod> method_for(MPI_Comm comm);

/// Says on stderr that the environment names none, and what it may name.
void report_unknown_method();

}  // namespace strata::mpix
