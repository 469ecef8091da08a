// SPDX-License-Identifier: LGPL-2.1-only
// The tests of this program, an idea in each file. `count`: elements of the random type.
#pragma once

#include <mpi.h>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/random_types.h"

namespace strata::mpix::testing {

void check_inquiry(Checks& t, const RandomType& r);
void check_packed(Checks& t, const RandomType& r, int count);
void check_message(Checks& t, MPI_Comm comm, TypeGenerator& generator, const RandomType& r, int count);
void check_collectives(Checks& t, MPI_Comm comm, TypeGenerator& generator, const RandomType& r, int count);
void check_reductions(Checks& t, MPI_Comm comm, TypeGenerator& generator, const RandomType& r, int count, bool ordered);
void check_one_sided(Checks& t, MPI_Comm comm, TypeGenerator& generator, const RandomType& r, int count);
void check_padding(Checks& t, MPI_Comm comm);

}  // namespace strata::mpix::testing
