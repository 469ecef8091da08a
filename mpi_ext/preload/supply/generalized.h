// SPDX-License-Identifier: LGPL-2.1-only
// Generalized requests at their end (generalized.cc).
#pragma once

#include <mpi.h>

#include <functional>

namespace strata::mpix {

/// If this is a generalized request, ends it with `end`, which is SMPI's, and with the status of the program's query
/// function. Otherwise returns false.
bool end_generalized(MPI_Request* request, MPI_Status* status,
                     const std::function<void(MPI_Request*, MPI_Status*)>& end);

}  // namespace strata::mpix
