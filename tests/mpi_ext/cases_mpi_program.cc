// SPDX-License-Identifier: LGPL-2.1-only
// Cases of which some fail, to test how they are reported.
//
//   abort    rank 1 aborts in the third case
#include <mpi.h>

#include <cstring>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

int main(int argc, char** argv) {
  using namespace strata::mpix::testing;  // NOLINT: checks
  MPI_Init(&argc, &argv);
  const bool aborts = argc > 1 && std::strcmp(argv[1], "abort") == 0;
  const int me = rank_in(MPI_COMM_WORLD);
  Checks t(me);
  CHECK_TRUE(me >= 0);
  t.run("right", [&] {
    CHECK_EQ(1, 1);
    CHECK_EQ(2, 2);
  });
  t.run("wrong on rank 1", [&] {
    CHECK_EQ(50, me == 1 ? 51 : 50);
    CHECK_EQ(60, 60);
  });
  t.run("often wrong", [&] {
    for (int i = 0; i < 20; ++i) CHECK_EQ(i, -1);
    if (aborts) MPI_Barrier(MPI_COMM_WORLD);
    if (aborts && me == 1) MPI_Abort(MPI_COMM_WORLD, 3);
    if (aborts) MPI_Barrier(MPI_COMM_WORLD);
  });
  if (me == 1) t.run("only on rank 1", [&] { CHECK_EQ(7, 7); });
  t.run("right", [&] { CHECK_EQ(3, 3); });
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
