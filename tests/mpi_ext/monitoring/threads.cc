// SPDX-License-Identifier: LGPL-2.1-only
// Threads that have sessions of their own.
#include <mpi.h>

#include <thread>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/monitoring/accounts.h"
#include "tests/mpi_ext/monitoring/tests.h"

namespace strata::mpix::testing {

void test_threads(const Env& e) {
  Checks& t = e.t;
  MPI_Comm comms[2];
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const MPI_M_msid both = started(t);
  Checks parts[2] = {Checks(e.rank), Checks(e.rank)};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      Checks& t = parts[i];
      for (int cycle = 0; cycle < 20; ++cycle) {
        const MPI_M_msid own = started(t, comms[i]);
        for (int k = 0; k < 10; ++k) ring(comms[i], 1, 2 + i);
        suspend(t, own);
        Numbers counts(e.size);
        CHECK_EQ(MPI_SUCCESS, MPI_M_get_data(own, counts.data(), nullptr, MPI_M_P2P_ONLY));
        CHECK_TRUE(counts[(e.rank + 1) % e.size] >= 10);  // messages of both threads
        free_session(t, own);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  t.add(parts[0]);
  t.add(parts[1]);
  suspend(t, both);
  Account account(e.size);
  account.add((e.rank + 1) % e.size, 200 * (8 + 12), 400);
  expect_data(t, account, both);
  free_session(t, both);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

}  // namespace strata::mpix::testing
