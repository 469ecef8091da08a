// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/nonblocking/study.h"

#include <mpi.h>

#include <string>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

void set_shape(Checks& t, MPI_Comm comm, const Shape& shape) {
  Info info;
  info.set("mpix_steps", shape.steps).set("mpix_arity", std::to_string(shape.arity)).set("mpix_tree", shape.tree);
  info.set("mpix_check", shape.checked ? "true" : "false");
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_set_progress(comm, info));
}

}  // namespace strata::mpix::testing
