// SPDX-License-Identifier: LGPL-2.1-only
// A user's attributes, which the library must not copy.
#include <fcntl.h>
#include <mpi.h>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/hierarchy/broadcasts.h"
#include "tests/mpi_ext/hierarchy/tests.h"

namespace strata::mpix::testing {
namespace {

// A user's attribute copy function, which only MPI_Comm_dup may call. The attribute's value counts the calls.
int count_copy(MPI_Comm, int, void*, void* value, void*, int* flag) {
  ++*static_cast<int*>(value);
  *flag = 0;
  return MPI_SUCCESS;
}

}  // namespace

void test_user_attributes(Checks& t) {
  int copies = 0, key = MPI_KEYVAL_INVALID;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm_set_attr(comm, key, &copies);
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(comm, MPI_INFO_NULL, &h));
  check_contiguous(t, {comm, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_LINEAR}, 1, 0);
  check_contiguous(t, {comm, h, MPIX_ALGORITHM_LINEAR}, 1, 0);
  CHECK_EQ(0, copies);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
}

}  // namespace strata::mpix::testing
