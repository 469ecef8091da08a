// SPDX-License-Identifier: LGPL-2.1-only
// Dimensions for a number of processes, compared with the pure core.
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/dims.h"
#include "mpi_ext/cart/tree_paths.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/cart/meshes.h"
#include "tests/mpi_ext/cart/tests.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {

void test_dims_create(Test& test) {
  Checks& t = test.t;
  const int size = size_of(MPI_COMM_WORLD);
  for (int nnodes : {size, std::max(1, size - 1), 1, 4 * size, 576}) {
    const std::vector<int> sizes = group_sizes(places_of_first(test.places, std::min(nnodes, size)).nodes());
    const bool equal = std::all_of(sizes.begin(), sizes.end(), [&](int n) { return n == sizes.front(); });
    for (std::vector<int> dims : std::vector<std::vector<int>>{{0}, {0, 0}, {0, 0, 0}, {0, 1, 0}}) {
      const std::vector<int> expected = node_aware_dims(nnodes, equal ? sizes.front() : 0, dims);
      CHECK_EQ(MPI_SUCCESS,
               MPIX_Nodecart_dims_create(MPI_COMM_WORLD, nnodes, static_cast<int>(dims.size()), dims.data()));
      CHECK_EQ(expected, dims);
    }
  }
  CountedErrors errors(t);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  errors.handle(comm);
  int dims[2] = {0, 7};
  CHECK_ERROR(MPI_ERR_DIMS, MPIX_Nodecart_dims_create(comm, 8, 2, dims));
  CHECK_ERROR(MPI_ERR_DIMS, MPIX_Nodecart_dims_create(comm, 8, 0, dims));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_dims_create(comm, 0, 2, dims));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_dims_create(comm, 8, 2, nullptr));
  dims[1] = -1;
  CHECK_ERROR(MPI_ERR_DIMS, MPIX_Nodecart_dims_create(comm, 8, 2, dims));
  CHECK_EQ(0, dims[0]);
  release(comm);
}

}  // namespace strata::mpix::testing
