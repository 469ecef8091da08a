// SPDX-License-Identifier: LGPL-2.1-only
// The data of a Cartesian communicator, and functions that make such a communicator from a grid.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <vector>

#include "mpi_ext/cart/grid.h"

namespace strata::mpix {

/// The grid of a communicator that the library made Cartesian, or of a dup of one. Local. Throws Unreported
/// (MPI_ERR_TOPOLOGY) for any other communicator; ReportedByMpi.
const Grid& grid_of(MPI_Comm comm);

/// The Cartesian communicator of `ranks` of `comm`, indexed by position in `grid`, with the error handler of `comm`.
/// The caller must be one of `ranks`. Collective over these. Throws ReportedByMpi, with everything released.
MPI_Comm make_cartesian(MPI_Comm comm, std::shared_ptr<const Grid> grid, const std::vector<int>& ranks);

/// As make_cartesian, with the first ranks of `comm` in their order; MPI_COMM_NULL for the others. Collective over
/// `comm`.
MPI_Comm make_cartesian_of_first(MPI_Comm comm, std::shared_ptr<const Grid> grid);

/// The Cartesian communicator of only the calling process, a member of `comm`.
MPI_Comm make_cartesian_of_self(MPI_Comm comm, std::shared_ptr<const Grid> grid);

}  // namespace strata::mpix
