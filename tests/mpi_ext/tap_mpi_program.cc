// SPDX-License-Identifier: LGPL-2.1-only
// The operations that the tap reports: on four ranks, the exact list of kind, sender, receiver and bytes, sorted. The
// tests are in tap/.
//
// Under a real MPI the tap of a process reports what that process sends, so each rank listens. Under SMPI a single
// listener, rank 0, gets the operations of all ranks. Between the tested operations no rank listens, and the lists are
// gathered.
//
//   tap_mpi_program [decomposed]   decomposed: SMPI's collectives as the messages of known algorithms, with
//                                  smpi/bcast:binomial_tree, barrier:ompi_recursivedoubling, allreduce:rdb,
//                                  alltoall:basic_linear
#include <mpi.h>

#include <cstring>

#include "records/exchange/tap.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/tap/session.h"
#include "tests/mpi_ext/tap/tests.h"

using namespace strata::mpix::testing;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Checks t(rank_in(MPI_COMM_WORLD));
  CHECK_TRUE(strata_monitoring_listen != nullptr);
  if (strata_monitoring_listen != nullptr) {
    Recorder recorder;
    Session s(t, recorder);
    if (argc > 1 && std::strcmp(argv[1], "decomposed") == 0) {
      t.run("decomposed", [&] { check_decomposed(t, s); });
    } else {
      t.run("sends", [&] { check_sends(s); });
      if (!kSimulated) t.run("intercommunicator", [&] { check_intercommunicator(s); });
      t.run("one sided", [&] { check_one_sided(s); });
      t.run("collectives", [&] { check_collectives(s); });
      s.leave_out_calls();
      t.run("messages of collectives", [&] { check_messages_of_collectives(t, s); });
    }
  }
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
