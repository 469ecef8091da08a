// SPDX-License-Identifier: LGPL-2.1-only
// Reductions of nothing, of one element and of many.
#include <mpi.h>

#include <cmath>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/supply/graphs.h"
#include "tests/mpi_ext/supply/tests.h"

namespace strata::mpix::testing {

void check_small_collectives(Checks& t, MPI_Comm comm) {
  double in = 1, out = 7;
  CHECK_EQ(MPI_SUCCESS, MPI_Allreduce(&in, &out, 0, MPI_DOUBLE, MPI_SUM, comm));
  CHECK_EQ(MPI_SUCCESS, MPI_Reduce(&in, &out, 0, MPI_DOUBLE, MPI_SUM, 0, comm));
  CHECK_EQ(7.0, out);
  // On one rank some of SMPI's algorithms abort, depending on the number of elements.
  for (int elements : {1, 100000}) {
    std::vector<double> mine(elements, rank_in(comm) + 1.0), sum(elements, -1.0);
    const double total = size_of(comm) * (size_of(comm) + 1) / 2.0;
    CHECK_EQ(MPI_SUCCESS, MPI_Reduce(mine.data(), sum.data(), elements, MPI_DOUBLE, MPI_SUM, 0, comm));
    if (rank_in(comm) == 0) CHECK_EQ(total, sum[elements / 2]);
    CHECK_EQ(MPI_SUCCESS, MPI_Reduce(mine.data(), sum.data(), elements, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_SELF));
    CHECK_EQ(mine, sum);
    CHECK_EQ(MPI_SUCCESS, MPI_Allreduce(MPI_IN_PLACE, sum.data(), elements, MPI_DOUBLE, MPI_SUM, comm));
    CHECK_EQ(total, sum[elements / 2]);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_EQ(MPI_SUCCESS, MPI_Iallreduce(MPI_IN_PLACE, mine.data(), elements, MPI_DOUBLE, MPI_PROD, comm, &request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQ(std::round(std::tgamma(size_of(comm) + 1.0)), mine[elements / 2]);  // a factorial
  }
  const int size = size_of(comm), mine[2] = {rank_in(comm), 100 + rank_in(comm)};
  std::vector<int> counts(size, 2), at(size), all(3 * size, -1), expected(3 * size, -1);
  for (int r = 0; r < size; ++r) {
    at[r] = 3 * r;  // begins at 0: MPICH 4.0 ignores the displacement of a single rank
    expected[at[r]] = r;
    expected[at[r] + 1] = 100 + r;
  }
  CHECK_EQ(MPI_SUCCESS, MPI_Allgatherv(mine, 2, MPI_INT, all.data(), counts.data(), at.data(), MPI_INT, comm));
  CHECK_EQ(expected, all);
}

}  // namespace strata::mpix::testing
