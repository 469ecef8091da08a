// SPDX-License-Identifier: LGPL-2.1-only
// A program that uses only MPI, with functions that SMPI lacks: process graphs, blocking and nonblocking neighbourhood
// collectives, splits by node. Runs under SMPI, with Strata's functions preloaded, and under Open MPI and MPICH. The
// tests are in supply/.
//
//   nodes=A,B,...   the node of each rank; under a real MPI all ranks are on one
#include <mpi.h>

#include <set>
#include <string>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/supply/graphs.h"
#include "tests/mpi_ext/supply/tests.h"

using namespace strata::mpix::testing;  // NOLINT: the checks

int main(int argc, char** argv) {
  int provided = -1, asked = -1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const int size = size_of(MPI_COMM_WORLD);
  std::vector<int> nodes(size, 0);
#ifdef SMPI_H
  if (argc > 1) nodes = numbers_in(argv[1]);
#endif
  Checks t(rank_in(MPI_COMM_WORLD));
  CHECK_TRUE(provided >= MPI_THREAD_FUNNELED);
  CHECK_EQ(MPI_SUCCESS, MPI_Query_thread(&asked));
  CHECK_EQ(provided, asked);
  for (int ranks : std::set<int>{1, 2, 3, size}) {
    if (ranks > size) continue;
    on_first(ranks, MPI_COMM_WORLD, [&](MPI_Comm comm) {
      const auto run = [&](const std::string& name, auto&& test) {
        t.run(name + ", " + std::to_string(ranks) + " ranks", test);
      };
      run("adjacent", [&] { check_adjacent(t, comm, uneven_graph(ranks), true, 0); });
      run("adjacent, no weights", [&] { check_adjacent(t, comm, uneven_graph(ranks), false, 0); });
      run("adjacent, no edges", [&] { check_adjacent(t, comm, {}, true, 0); });
      run("edges named by others", [&] { check_named_elsewhere(t, comm, false); });
      run("edges named by one", [&] { check_named_elsewhere(t, comm, true); });
      run("graph", [&] { check_graph(t, comm); });
      run("mesh", [&] { check_mesh(t, comm); });
      run("small collectives", [&] { check_small_collectives(t, comm); });
      run("overlap", [&] { check_overlap(t, comm); });
      run("waitany", [&] { check_any(t, comm, 0); });
      run("testany", [&] { check_any(t, comm, 1); });
      run("waitsome", [&] { check_any(t, comm, 2); });
      run("splits", [&] { check_splits(t, comm); });
      run("matched probe", [&] { check_matched_probe(t, comm); });
      run("idup", [&] { check_idup_waits_for_nobody(t, comm); });
      run("status", [&] { check_own_status(t, comm); });
      run("refused communicators", [&] { check_refused_communicators(t, comm); });
      if (ranks > 1) run("intercommunicator, 1 left", [&] { check_intercomm(t, comm, 1); });
      if (ranks > 2) run("intercommunicator, 1 right", [&] { check_intercomm(t, comm, ranks - 1); });
    });
  }
  t.run("reorder", [&] { check_reorder(t, MPI_COMM_WORLD, nodes); });
  t.run("node", [&] { check_node(t, MPI_COMM_WORLD, nodes); });
  t.run("added errors", [&] { check_added_errors(t); });
  t.run("datatypes", [&] { check_datatypes(t); });
  t.run("errors", [&] { check_errors(t, MPI_COMM_WORLD); });
  const int code = t.finish();
  MPI_Finalize();
  return code;
}
