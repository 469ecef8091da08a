// SPDX-License-Identifier: LGPL-2.1-only
// Messages and collectives of an intercommunicator.
#include <mpi.h>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/tap/session.h"
#include "tests/mpi_ext/tap/tests.h"

namespace strata::mpix::testing {

// The communicators of the even and of the odd ranks: each rank sends to the other group's rank with the same number.
void check_intercommunicator(Session& s) {
  const int me = rank_in(MPI_COMM_WORLD);
  int datum = me;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 1, &inter);
  s.check("an intercommunicator", "EICS",
          [&] {
            if (me == 2) MPI_Send(&datum, 1, MPI_INT, 0, 0, inter);
            if (me == 1) MPI_Recv(&datum, 1, MPI_INT, 1, 0, inter, MPI_STATUS_IGNORE);
          },
          {{kE, 2, 1, 4}});
  s.check("its broadcast", "EICS",
          [&] {
            const int root = me == 2 ? MPI_ROOT : me == 0 ? MPI_PROC_NULL : 1;
            MPI_Bcast(&datum, 1, MPI_INT, root, inter);
          },
          {{kC, 2, 1, 4}, {kC, 2, 3, 4}});
  s.check(
      "its allreduce", "EICS",
      [&] {
        int sum = 0;
        MPI_Allreduce(&datum, &sum, 1, MPI_INT, MPI_SUM, inter);
      },
      each_pair(kC, [](int from, int to) { return (from + to) % 2 == 1 ? 4 : -1; }));
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

}  // namespace strata::mpix::testing
