// SPDX-License-Identifier: LGPL-2.1-only
// Tests of the MPI layer in an MPI program, which runs under SMPI, Open MPI and MPICH. The tests are in hierarchy/.
// Expected results come from the pure core and the placement file, or from hwloc if there is no such file.
//
//   (none)           everything, compared with STRATA_PLACEMENT
//   real             the same, and features that SMPI lacks: intercommunicators, MPI_BOTTOM
//   threads          threads that use the library for the first time at the same moment
//   cycles=N         only creates and frees, N times
//   leak             with cycles: each cycle keeps a communicator, to test the test
//   live             without a placement: this machine as hwloc sees it
//   short            STRATA_PLACEMENT binds fewer ranks than there are
//   mixed-trees      without a placement: hwloc shows different trees to the ranks
//   private          with `(none)`: globals are privatised; checks this
#include <fcntl.h>
#include <mpi.h>

#include <cstdlib>
#include <set>
#include <string>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/hierarchy/tests.h"

int g_my_rank = -1;  // mutable: each rank has its own if globals are privatised

namespace {

using namespace strata::mpix::testing;  // NOLINT: checks and tests

void test_everything(Checks& t, bool real) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const Expected e(std::getenv("STRATA_PLACEMENT"));
  t.run("levels", [&] { test_levels(t, e); });
  t.run("split type", [&] { test_split_type(t, e); });
  t.run("lowest level", [&] { test_min_hlevel(t, e); });
  t.run("errors", [&] { test_errors(t, real); });
  t.run("user attributes", [&] { test_user_attributes(t); });
  t.run("broadcast", [&] { test_broadcast(t, MPI_COMM_WORLD, real); });
  t.run("broadcast, one rank", [&] { test_broadcast(t, MPI_COMM_SELF, real); });
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, size - me, &half);  // every second rank, in reverse order
  t.run("broadcast, every second rank", [&] { test_broadcast(t, half, real); });
  t.run("user messages, every second rank", [&] { test_user_messages(t, half); });
  MPI_Comm_free(&half);
  t.run("user messages", [&] { test_user_messages(t, MPI_COMM_WORLD); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::set<std::string> words(argv + 1, argv + argc);
  const bool real = words.count("real") != 0, threads = words.count("threads") != 0;
  int provided = MPI_THREAD_SINGLE;
  if (threads) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  } else {
    MPI_Init(&argc, &argv);
  }
  Checks t(rank_in(MPI_COMM_WORLD));
  g_my_rank = rank_in(MPI_COMM_WORLD);
  int cycles = 0;
  for (const std::string& w : words) {
    if (w.rfind("cycles=", 0) == 0) cycles = std::atoi(w.c_str() + 7);
  }
  if (cycles > 0) {
    for (int i = 0; i < cycles; ++i) {
      t.run("cycles", [&] { create_and_free(t, MPI_COMM_WORLD); });
      MPI_Comm kept = MPI_COMM_NULL;
      if (words.count("leak") != 0) MPIX_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &kept);
    }
  } else if (words.count("live") != 0) {
    t.run("this machine", [&] { test_live(t); });
  } else if (words.count("mixed-trees") != 0) {
    t.run("mixed trees", [&] { test_mixed_trees(t); });
  } else if (words.count("short") != 0) {
    t.run("a rank without a binding", [&] { test_short(t); });
  } else if (threads) {
    CHECK_EQ(static_cast<int>(MPI_THREAD_MULTIPLE), provided);
    if (provided == MPI_THREAD_MULTIPLE) t.run("threads", [&] { test_threads(t); });
  } else {
    test_everything(t, real);
  }
  if (words.count("private") != 0) {
    CHECK_EQ(rank_in(MPI_COMM_WORLD), g_my_rank);
  }
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
