// SPDX-License-Identifier: LGPL-2.1-only
// One-sided communication.
#include <fcntl.h>
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/monitoring/accounts.h"
#include "tests/mpi_ext/monitoring/tests.h"

namespace strata::mpix::testing {

void test_one_sided(const Env& e) {
  Checks& t = e.t;
  if (e.size < 3) return;
  const int next = (e.rank + 1) % e.size, after = (e.rank + 2) % e.size;
  const int before = (e.rank + e.size - 1) % e.size, before2 = (e.rank + e.size - 2) % e.size;
  std::vector<long> out(16, 0), in(16);
  long* memory = nullptr;
  MPI_Win win;  // by MPI: Open MPI 4.1 cannot combine threads and a window of user memory within a node
  MPI_Win_allocate(16 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&memory), &win);
  std::fill(memory, memory + 16, 0);
  const MPI_M_msid id = started(t);
  Account account(e.size);
  MPI_Win_fence(0, win);
  MPI_Put(out.data(), 3, MPI_LONG, next, 0, 3, MPI_LONG, win);
  account.add(next, 24);
  MPI_Win_fence(0, win);
  MPI_Accumulate(out.data(), 2, MPI_LONG, after, 0, 2, MPI_LONG, MPI_SUM, win);
  account.add(after, 16);
  MPI_Win_fence(0, win);
  MPI_Get(in.data(), 5, MPI_LONG, next, 0, 5, MPI_LONG, win);
  account.add(before, 40);  // sent by this process to the one that gets the data
  MPI_Get(in.data() + 8, 1, MPI_LONG, next, 0, 1, MPI_LONG, win);
  account.add(before, 8);
  MPI_Win_fence(0, win);
  MPI_Get_accumulate(out.data(), 4, MPI_LONG, in.data(), 4, MPI_LONG, after, 0, 4, MPI_LONG, MPI_SUM, win);
  account.add(after, 32);
  account.add(before2, 32);
  MPI_Win_fence(0, win);
  MPI_Fetch_and_op(out.data(), in.data(), MPI_LONG, next, 9, MPI_SUM, win);
  account.add(next, 8);
  account.add(before, 8);
  MPI_Win_fence(0, win);
  long zero = 0;
  MPI_Compare_and_swap(out.data(), &zero, in.data(), MPI_LONG, next, 10, win);
  account.add(next, 8);
  account.add(before, 8);
  MPI_Put(out.data(), 3, MPI_LONG, MPI_PROC_NULL, 0, 3, MPI_LONG, win);
  MPI_Win_fence(0, win);
  suspend(t, id);
  if (e.provider != "openmpi") expect_data(t, account, id, MPI_M_OSC_ONLY);
  // A second query gives the same: transfers are not counted twice.
  if (e.provider != "openmpi") expect_data(t, account, id, MPI_M_OSC_ONLY);
  free_session(t, id);
  MPI_Win_free(&win);
}

}  // namespace strata::mpix::testing
