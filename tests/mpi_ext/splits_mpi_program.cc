// SPDX-License-Identifier: LGPL-2.1-only
// Tests of the MPI layer in an MPI program, which runs under SMPI, Open MPI and MPICH: guided splits, level hints, all
// levels at once, hierarchies of groups, resource info. The tests are in splits/. Expected guided splits are computed
// with hwloc from the node and the bindings in STRATA_PLACEMENT; expected hinted splits from the pure core's whole
// hierarchy, member by member.
//
//   (none)      everything, compared with STRATA_PLACEMENT
//   strangers   6 ranks: 0 to 2 read one placement file and 3 to 5 another (see test_strangers)
//   private     ignored by the program: the launcher privatises globals
#include <mpi.h>

#include <cstdlib>
#include <set>
#include <string>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/splits/tests.h"

using namespace strata::mpix::testing;  // NOLINT: checks and tests

int main(int argc, char** argv) {
  const std::set<std::string> words(argv + 1, argv + argc);
  MPI_Init(&argc, &argv);
  Checks t(rank_in(MPI_COMM_WORLD));
  if (words.count("strangers") != 0) {
    t.run("strangers", [&] { test_strangers(t); });
  } else {
    const Expected e(std::getenv("STRATA_PLACEMENT"));
    t.run("guided", [&] { test_guided(t, e); });
    t.run("hints", [&] { test_hints(t, e); });
    t.run("all levels", [&] { test_all_levels(t, e); });
    t.run("groups", [&] { test_groups(t); });
    t.run("resource info", [&] { test_resource_info(t, e); });
    t.run("errors", [&] { test_errors(t); });
    t.run("on a part", [&] { test_on_a_part(t, e); });
  }
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
