// SPDX-License-Identifier: LGPL-2.1-only
// Errors of persistent requests.
#include <mpi.h>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/requests/tests.h"
#include "tests/mpi_ext/requests/ways.h"

namespace strata::mpix::testing {

void check_errors(Checks& t, MPI_Comm comm) {
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  MPI_Request request = MPI_REQUEST_NULL;
  int x = 0, error = -1;
  MPI_Error_class(MPI_Send_init(&x, -1, MPI_INT, 0, 0, own, &request), &error);
  CHECK_EQ(MPI_ERR_COUNT, error);
  MPI_Error_class(MPI_Send_init(&x, 1, MPI_INT, size_of(own), 0, own, &request), &error);
  CHECK_EQ(MPI_ERR_RANK, error);
  MPI_Error_class(MPI_Recv_init(&x, 1, MPI_DATATYPE_NULL, 0, 0, own, &request), &error);
  CHECK_EQ(MPI_ERR_TYPE, error);
  MPI_Comm_free(&own);
}

}  // namespace strata::mpix::testing
