// SPDX-License-Identifier: LGPL-2.1-only
// A communicator that is Cartesian: what is kept with it, and how one is made of a grid.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <vector>

#include "mpi_ext/cart/grid.h"

namespace strata::mpix {

/// The grid of a communicator that the library made Cartesian, or of a dup of one. Local. Throws Unreported,
/// MPI_ERR_TOPOLOGY on any other; ReportedByMpi.
const Grid& grid_of(MPI_Comm comm);

/// The Cartesian communicator of `ranks` of `comm`, by position of `grid`, with the error handler of `comm`; the caller
/// is among them. Collective over these. Throws ReportedByMpi; nothing is left then.
MPI_Comm make_cartesian(MPI_Comm comm, std::shared_ptr<const Grid> grid, const std::vector<int>& ranks);

/// The same of the first ranks of `comm` in their order; MPI_COMM_NULL for the others. Collective over `comm`.
MPI_Comm make_cartesian_of_first(MPI_Comm comm, std::shared_ptr<const Grid> grid);

/// That of the calling process alone, a member of `comm`.
MPI_Comm make_cartesian_of_self(MPI_Comm comm, std::shared_ptr<const Grid> grid);

}  // namespace strata::mpix
