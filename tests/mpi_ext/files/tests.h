// SPDX-License-Identifier: LGPL-2.1-only
// The tests of this program, an idea in each file. `path`: the file that they write.
#pragma once

#include <mpi.h>

#include <string>

#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

void check_places(Checks& t, MPI_Comm comm, const std::string& path);
void check_shared_pointer(Checks& t, MPI_Comm comm, const std::string& path);
void check_views(Checks& t, MPI_Comm comm, const std::string& path);
void check_size(Checks& t, MPI_Comm comm, const std::string& path);
void check_errors(Checks& t, MPI_Comm comm, const std::string& path);

}  // namespace strata::mpix::testing
