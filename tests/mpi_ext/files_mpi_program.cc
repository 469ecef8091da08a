// SPDX-License-Identifier: LGPL-2.1-only
// A program that reads and writes files with MPI: alone, together, in order, at all file pointers, through views, with
// requests, in split collectives, and with errors. The contents of a file are compared with those that the C library
// reads. Runs under SMPI, with Strata's functions preloaded, and under Open MPI and MPICH. The tests
// are in files/.
//
//   folder   where the files are
#include <mpi.h>

#include <string>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/files/tests.h"

using namespace strata::mpix::testing;  // NOLINT: the checks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int size = size_of(MPI_COMM_WORLD);
  const std::string folder = argc > 1 ? argv[1] : ".";
  Checks t(rank_in(MPI_COMM_WORLD));
  for (int ranks : {1, 2, size}) {
    if (ranks > size) continue;
    const std::string on = ", " + std::to_string(ranks) + " ranks";
    on_first(ranks, MPI_COMM_WORLD, [&](MPI_Comm comm) {
      const std::string path = folder + "/written-by-" + std::to_string(ranks);
      t.run("places" + on, [&] { check_places(t, comm, path); });
      t.run("shared pointer" + on, [&] { check_shared_pointer(t, comm, path); });
      t.run("views" + on, [&] { check_views(t, comm, path); });
      t.run("size" + on, [&] { check_size(t, comm, path); });
      t.run("errors" + on, [&] { check_errors(t, comm, path); });
    });
  }
  const int code = t.finish();
  MPI_Finalize();
  return code;
}
