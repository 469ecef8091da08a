// SPDX-License-Identifier: LGPL-2.1-only
// The time that a combination of two messages is charged.
#include "mpi_ext/adapter/charge.h"

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/collectives/over.h"
#include "tests/mpi_ext/collectives/sent.h"
#include "tests/mpi_ext/collectives/tests.h"
#include "tests/mpi_ext/guarded_buffers.h"

namespace strata::mpix::testing {

void test_charge(Checks& t, double bandwidth) {
  constexpr int kCount = 100'000;
  constexpr double kBytes = 8.0 * kCount;
  const int me = rank_in(MPI_COMM_WORLD);
  const double expected = bandwidth > 0 ? kBytes / bandwidth : 0;
  const auto timed = [&](auto&& action) {
    const double start = MPI_Wtime();
    action();
    return MPI_Wtime() - start;
  };
  const double charged = timed([] { strata::mpix::charge_combine(static_cast<std::size_t>(kBytes)); });
  CHECK_TRUE(std::abs(charged - expected) <= 1e-9 * expected);
  // In a reduce of two ranks the root has one message and one combination.
  std::vector<double> mine(kCount, me + 1.0), result(kCount);
  for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_PIPELINE}) {
    const auto reduce = [&] {
      MPIX_Reduce(mine.data(), result.data(), kCount, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD, algorithm, 0);
    };
    const auto message = [&] {
      MPI_Request request;
      if (me == 0) {
        MPI_Irecv(result.data(), kCount, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
      } else {
        MPI_Isend(mine.data(), kCount, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
      }
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    };
    reduce();  // creates its context
    MPI_Barrier(MPI_COMM_WORLD);
    const double reduced = timed(reduce);
    MPI_Barrier(MPI_COMM_WORLD);
    const double sent = timed(message);
    if (me == 0) CHECK_TRUE(std::abs(reduced - sent - expected) <= 1e-6 * reduced);
  }
}

}  // namespace strata::mpix::testing
