// SPDX-License-Identifier: LGPL-2.1-only
// Data at absolute addresses.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/collectives/over.h"
#include "tests/mpi_ext/collectives/sent.h"
#include "tests/mpi_ext/collectives/tests.h"
#include "tests/mpi_ext/guarded_buffers.h"

namespace strata::mpix::testing {

void test_bottom(Checks& t, MPI_Comm comm) {
  std::array<int, 2> first{rank_in(comm), 1}, second{2, 3};
  std::array<int, 2> lengths{2, 2};
  std::array<MPI_Aint, 2> places{};
  MPI_Get_address(first.data(), &places[0]);
  MPI_Get_address(second.data(), &places[1]);
  MPI_Datatype absolute;
  MPI_Type_create_hindexed(2, lengths.data(), places.data(), MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  const int size = size_of(comm);
  CHECK_EQ(MPI_SUCCESS, MPIX_Bcast(MPI_BOTTOM, 1, absolute, size - 1, comm, MPIX_ALGORITHM_BINARY, 0));
  CHECK_EQ(size - 1, first[0]);
  first[0] = rank_in(comm);
  std::vector<int> all(4 * size), expected;
  for (int r = 0; r < size; ++r) expected.insert(expected.end(), {r, 1, 2, 3});
  for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_RING}) {
    std::fill(all.begin(), all.end(), 0);
    CHECK_EQ(MPI_SUCCESS, MPIX_Allgather(MPI_BOTTOM, 1, absolute, all.data(), 4, MPI_INT, comm, algorithm));
    CHECK_EQ(expected, all);
  }
  MPI_Type_free(&absolute);
}

}  // namespace strata::mpix::testing
