// SPDX-License-Identifier: LGPL-2.1-only
// Splits by type, in which some ranks do not take part or have other keys.
#include <fcntl.h>
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "mpi_ext/hierarchy/split.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/hierarchy/siblings.h"
#include "tests/mpi_ext/hierarchy/tests.h"

namespace strata::mpix::testing {

void test_split_type(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  std::vector<int> node(size);
  for (int r = 0; r < size; ++r) node[r] = e.node_of(r);
  const std::vector<int> child = split(e.topology->parents(), e.vertices).index;

  const auto everybody = [](int) { return true; };
  const auto even = [](int r) { return r % 2 == 0; };
  const auto split_and_check = [&](int type, const std::vector<int>& group_of, bool all, int key) {
    const Siblings expected = all ? siblings_of(group_of, me, everybody) : siblings_of(group_of, me, even);
    MPI_Comm comm = MPI_COMM_WORLD;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, all || even(me) ? type : static_cast<int>(MPI_UNDEFINED),
                                               key, MPI_INFO_NULL, &comm));
    Ranks members = expected.members;
    if (key < 0) std::reverse(members.begin(), members.end());
    CHECK_EQ(members, members_of(comm));
    if (comm == MPI_COMM_NULL || members.empty()) return release(comm);
    check_info(t, comm, expected.num_comms, expected.index, e.name_of(expected.members));
    // The communicator works, with exactly the expected members.
    int sum = 0;
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK_EQ(std::accumulate(members.begin(), members.end(), 0), sum);
    release(comm);
  };
  for (int key : {0, me, -me - 1}) {
    split_and_check(MPI_COMM_TYPE_SHARED, node, true, key);
    split_and_check(MPI_COMM_TYPE_SHARED, node, false, key);
    split_and_check(MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, child, true, key);
    split_and_check(MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, child, false, key);
  }
  MPI_Comm comm = MPI_COMM_WORLD;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &comm));
  CHECK_TRUE(comm == MPI_COMM_NULL);
  release(comm);

  // Keys in the child of a communicator: the child of a reordered parent has the parent's order.
  MPI_Comm reversed, below;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(reversed, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &below));
  Ranks members = siblings_of(node, me, everybody).members;
  std::reverse(members.begin(), members.end());
  CHECK_EQ(members, members_of(below));
  release(below);
  release(reversed);

  if (size > 1) {
    MPI_Comm quiet = quiet_world();
    comm = MPI_COMM_WORLD;
    const int type = me == 0 ? MPI_COMM_TYPE_SHARED : MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY;
    CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(MPIX_Comm_split_type(quiet, type, 0, MPI_INFO_NULL, &comm)));
    CHECK_TRUE(comm == MPI_COMM_NULL);
    MPI_Comm_free(&quiet);
  }
}

}  // namespace strata::mpix::testing
