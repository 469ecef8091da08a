// SPDX-License-Identifier: LGPL-2.1-only
// Sessions that overlap, and the gathered data of all ranks.
#include <mpi.h>

#include <algorithm>

#include "mpi_ext/MPI_Monitoring.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/monitoring/accounts.h"
#include "tests/mpi_ext/monitoring/tests.h"

namespace strata::mpix::testing {

void test_overlap(const Env& e) {
  Checks& t = e.t;
  const int next = (e.rank + 1) % e.size;
  Account first(e.size), second(e.size), third(e.size);
  const auto send = [&](int ints, std::initializer_list<Account*> watching) {
    ring(MPI_COMM_WORLD, 1, ints);
    for (Account* a : watching) a->add(next, 4UL * ints);
  };
  send(1, {});
  const MPI_M_msid a = started(t);
  send(2, {&first});
  const MPI_M_msid b = started(t);
  CHECK_TRUE(a != b);
  send(3, {&first, &second});
  suspend(t, a);
  send(4, {&second});
  const MPI_M_msid c = started(t);
  // Getting the data of one session while others are active: they do not count the library's own messages for this.
  expect_data(t, first, a);
  Numbers matrix(static_cast<size_t>(e.size) * e.size);
  CHECK_EQ(MPI_SUCCESS, MPI_M_allgather_data(a, matrix.data(), MPI_M_DATA_IGNORE, MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_SUCCESS, MPI_M_rootgather_data(a, 0, matrix.data(), MPI_M_DATA_IGNORE, MPI_M_P2P_ONLY));
  const MPI_M_msid d = started(t);
  suspend(t, d);
  free_session(t, d);
  send(5, {&second, &third});
  resume(t, a);
  send(6, {&first, &second, &third});
  suspend(t, c);
  suspend(t, b);
  suspend(t, a);
  expect_data(t, first, a);
  expect_data(t, second, b);
  expect_data(t, third, c);
  CHECK_EQ(MPI_SUCCESS, MPI_M_reset(b));
  second.clear();
  expect_data(t, second, b);
  expect_data(t, first, a);
  resume(t, b);
  send(7, {&second});
  suspend(t, b);
  expect_data(t, second, b);
  expect_data(t, first, a);

  // Continues all sessions that are suspended.
  CHECK_EQ(MPI_SUCCESS, MPI_M_continue(a));
  CHECK_EQ(MPI_SUCCESS, MPI_M_continue(MPI_M_ALL_MSID));
  CHECK_EQ(MPI_SUCCESS, MPI_M_continue(MPI_M_ALL_MSID));  // no such session is not an error
  send(8, {&first, &second, &third});
  suspend(t, b);
  CHECK_EQ(MPI_SUCCESS, MPI_M_suspend(MPI_M_ALL_MSID));
  CHECK_EQ(MPI_M_SESSION_SUSPENDED, MPI_M_suspend(c));
  expect_data(t, third, c);
  resume(t, c);
  CHECK_EQ(MPI_SUCCESS, MPI_M_reset(MPI_M_ALL_MSID));
  suspend(t, c);
  first.clear();
  second.clear();
  expect_data(t, first, a);
  expect_data(t, second, b);
  expect_data(t, third, c);
  resume(t, b);
  CHECK_EQ(MPI_SUCCESS, MPI_M_free(MPI_M_ALL_MSID));
  CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_suspend(a));
  CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_suspend(c));
  suspend(t, b);
  CHECK_EQ(MPI_SUCCESS, MPI_M_free(MPI_M_ALL_MSID));
  CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_get_info(b, nullptr, nullptr));
  CHECK_EQ(MPI_SUCCESS, MPI_M_free(MPI_M_ALL_MSID));
}

void test_gathers(const Env& e) {
  Checks& t = e.t;
  const MPI_M_msid id = started(t);
  for (int distance = 1; distance < e.size; distance *= 2) ring(MPI_COMM_WORLD, distance, e.rank + distance);
  suspend(t, id);
  const size_t n = e.size;
  Numbers counts(n * n, 99), sizes(n * n, 99), expected_counts(n * n), expected_sizes(n * n);
  for (int r = 0; r < e.size; ++r) {
    for (int distance = 1; distance < e.size; distance *= 2) {
      expected_counts[r * n + (r + distance) % n] += 1;
      expected_sizes[r * n + (r + distance) % n] += 4UL * (r + distance);
    }
  }
  CHECK_EQ(MPI_SUCCESS, MPI_M_allgather_data(id, counts.data(), sizes.data(), MPI_M_P2P_ONLY));
  CHECK_EQ(expected_counts, counts);
  CHECK_EQ(expected_sizes, sizes);
  for (int root = 0; root < e.size; root += 3) {
    std::fill(counts.begin(), counts.end(), 99);
    std::fill(sizes.begin(), sizes.end(), 99);
    const bool gets = e.rank == root;
    CHECK_EQ(MPI_SUCCESS, MPI_M_rootgather_data(id, root, counts.data(),
                                                gets && root > 0 ? MPI_M_DATA_IGNORE : sizes.data(), MPI_M_P2P_ONLY));
    CHECK_EQ(gets ? expected_counts : Numbers(n * n, 99), counts);
    CHECK_EQ(gets && root == 0 ? expected_sizes : Numbers(n * n, 99), sizes);
  }
  // Each rank may ask for different data of its own.
  Numbers mine(n);
  CHECK_EQ(MPI_SUCCESS, MPI_M_get_data(id, e.rank % 2 == 0 ? mine.data() : MPI_M_DATA_IGNORE, MPI_M_DATA_IGNORE,
                                       e.rank % 2 == 0 ? MPI_M_P2P_ONLY : MPI_M_ALL_COMM));
  if (e.rank % 2 == 0) {
    CHECK_EQ(Numbers(expected_counts.begin() + e.rank * n, expected_counts.begin() + (e.rank + 1) * n), mine);
  }
  free_session(t, id);
}

}  // namespace strata::mpix::testing
