// SPDX-License-Identifier: LGPL-2.1-only
// The ranks of a node: MPI_Comm_split_type, processor names, and windows of shared memory.
#include <mpi.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/supply/graphs.h"
#include "tests/mpi_ext/supply/tests.h"

namespace strata::mpix::testing {
namespace {

// Rank r of a node has r + 1 integers, or none if r is 1; each rank reads the integers of all.
void check_shared_window(Checks& t, MPI_Comm node) {
  const int me = rank_in(node), size = size_of(node);
  const auto length = [](int rank) { return rank == 1 ? 0 : rank + 1; };
  int* mine = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_Win_allocate_shared(static_cast<MPI_Aint>(length(me) * sizeof(int)), sizeof(int),
                                                MPI_INFO_NULL, node, &mine, &window));
  MPI_Win_fence(0, window);
  for (int i = 0; i < length(me); ++i) mine[i] = 100 * me + i;
  MPI_Win_fence(0, window);
  for (int r = 0; r < size; ++r) {
    MPI_Aint bytes = -1;
    int unit = 0, *theirs = nullptr;
    CHECK_EQ(MPI_SUCCESS, MPI_Win_shared_query(window, r, &bytes, &unit, &theirs));
    CHECK_EQ(static_cast<int>(sizeof(int)), unit);
    CHECK_EQ(static_cast<MPI_Aint>(length(r) * sizeof(int)), bytes);
    for (int i = 0; i < length(r); ++i) CHECK_EQ(100 * r + i, theirs[i]);
  }
  MPI_Win_fence(0, window);
  // In the way of programs that share one array.
  const int last = size - 1;
  int got = -1;
  MPI_Get(&got, 1, MPI_INT, last == 1 ? 0 : last, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  CHECK_EQ(last == 1 ? 0 : 100 * last, got);
  // Operations on MPI_PROC_NULL and on the calling rank are complete, and have requests.
  if (length(me) > 0) {
    std::array<MPI_Request, 2> requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int copy = -1;
    MPI_Win_lock_all(0, window);
    CHECK_EQ(MPI_SUCCESS, MPI_Rput(&copy, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window, &requests[0]));
    CHECK_EQ(MPI_SUCCESS, MPI_Rget(&copy, 1, MPI_INT, me, 0, 1, MPI_INT, window, &requests[1]));
    CHECK_TRUE(requests[0] != MPI_REQUEST_NULL && requests[1] != MPI_REQUEST_NULL);
    CHECK_EQ(MPI_SUCCESS, MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE));
    MPI_Win_unlock_all(window);
    CHECK_EQ(100 * me, copy);
  }
  int *flavor = nullptr, found = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, &flavor, &found));
  CHECK_TRUE(found != 0);
  CHECK_EQ(static_cast<int>(MPI_WIN_FLAVOR_SHARED), *flavor);
  MPI_Win_free(&window);
}

}  // namespace

void check_node(Checks& t, MPI_Comm comm, const std::vector<int>& nodes) {
  const int me = rank_in(comm), size = size_of(comm);
  Ranks expected;
  for (int r = size - 1; r >= 0; --r) {
    if (nodes[r] == nodes[me]) expected.push_back(r);
  }
  MPI_Comm node = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, -me, MPI_INFO_NULL, &node));
  CHECK_EQ(expected, members_of(node));
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Get_processor_name(name.data(), &length));
  CHECK_EQ(std::strlen(name.data()), static_cast<size_t>(length));
  std::vector<char> names(name.size() * size);
  MPI_Allgather(name.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, names.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, comm);
  for (int r = 0; r < size; ++r) CHECK_EQ(nodes[r] == nodes[me], std::string(&names[name.size() * r]) == name.data());

  check_shared_window(t, node);
  MPI_Comm_free(&node);

  MPI_Comm none = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS,
           MPI_Comm_split_type(comm, me == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &none));
  CHECK_EQ(me == 0, none == MPI_COMM_NULL);
  if (none != MPI_COMM_NULL) MPI_Comm_free(&none);
}

}  // namespace strata::mpix::testing
