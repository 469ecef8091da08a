// SPDX-License-Identifier: LGPL-2.1-only
// Barrier: no rank leaves it before the last one has come.
#include <mpi.h>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/collectives/over.h"
#include "tests/mpi_ext/collectives/sent.h"
#include "tests/mpi_ext/collectives/tests.h"
#include "tests/mpi_ext/guarded_buffers.h"

namespace strata::mpix::testing {
namespace {

// Number of ranks of MPI_COMM_WORLD that have reached the barrier. Only used if ranks share globals.
int g_arrived;

}  // namespace

void test_barrier(Checks& t, const Over& over) {
  const bool shared_globals = !over.real;
  const int size = over.size();
  for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_RECURSIVE_DOUBLING}) {
    const bool doubling = algorithm == MPIX_ALGORITHM_RECURSIVE_DOUBLING;
    if (over.hierarchical() && doubling) continue;
    my_sent().clear();
    CHECK_EQ(MPI_SUCCESS, over.barrier(algorithm));
    const PowerOfTwo p(size);
    CHECK_EQ((Traffic{doubling ? 2 * p.rest + p.power * p.logarithm : 2L * (size - 1), 0}), traffic_of(over.comm));
    // Each rank is late once: no rank leaves the barrier before it.
    for (int late = 0; shared_globals && late < size; ++late) {
      g_arrived = 0;
      MPI_Barrier(over.comm);
      strata::mpix::charge_combine(over.rank() == late ? 100'000'000 : 0);
      ++g_arrived;
      CHECK_EQ(MPI_SUCCESS, over.barrier(algorithm));
      CHECK_EQ(size, g_arrived);
      MPI_Barrier(over.comm);
    }
  }
}

}  // namespace strata::mpix::testing
