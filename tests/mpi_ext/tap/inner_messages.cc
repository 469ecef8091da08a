// SPDX-License-Identifier: LGPL-2.1-only
// The messages of collectives without their calls.
#include <mpi.h>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/tap/session.h"
#include "tests/mpi_ext/tap/tests.h"

namespace strata::mpix::testing {

// Not the broadcast's call, only its messages, which a real MPI's tap does not see.
void check_messages_of_collectives(Checks& t, Session& s) {
  int value = 0;
  const auto broadcast = [&] { MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); };
  s.check("call of a broadcast", "C", broadcast, {});
  const long messages = s.count(broadcast);
  if (rank_in(MPI_COMM_WORLD) == 0) CHECK_TRUE(kSimulated ? messages >= kRanks - 1 : messages == 0);
}

}  // namespace strata::mpix::testing
