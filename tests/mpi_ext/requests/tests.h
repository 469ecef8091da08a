// SPDX-License-Identifier: LGPL-2.1-only
// The tests of this program, an idea in each file.
#pragma once

#include <mpi.h>

#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/requests/ways.h"

namespace strata::mpix::testing {

void check_rounds(Checks& t, MPI_Comm comm, Send kind, Way way, int length);
void check_ahead(Checks& t, MPI_Comm comm, Send kind, bool restart);
void check_derived(Checks& t, MPI_Comm comm, int length);
void check_freed(Checks& t, MPI_Comm comm, bool persistent, int length);
void check_cancelled(Checks& t, MPI_Comm comm, Way way);
void check_cancelled_send(Checks& t, MPI_Comm comm, int length);
void check_partly_complete(Checks& t, MPI_Comm comm);
void check_errors(Checks& t, MPI_Comm comm);
void leave_to_finalize(int length, std::vector<int>& data);

}  // namespace strata::mpix::testing
