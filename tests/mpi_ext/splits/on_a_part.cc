// SPDX-License-Identifier: LGPL-2.1-only
// A communicator of some ranks in a different order.
#include <fcntl.h>
#include <hwloc.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "mpi_ext/hierarchy/split.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/splits/groups.h"
#include "tests/mpi_ext/splits/tests.h"

namespace strata::mpix::testing {

void test_on_a_part(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &part);
  const Groups nodes = Bindings(e).on(HWLOC_OBJ_MACHINE);
  Seen expected = seen_by(me, nodes, [&](int r) { return r % 2 == me % 2; });
  std::reverse(expected.members.begin(), expected.members.end());
  MPI_Comm comm = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(part, MPI_COMM_TYPE_SHARED, 3, MPI_INFO_NULL, &comm));
  CHECK_EQ(expected.members, members_of(comm));
  check_info(t, comm, expected.num_comms, expected.index, e.name_of(expected.members));
  release(comm);
  // All its levels: the pure core's for the places of its members in their order.
  Ranks order;
  for (int r = size - 1; r >= 0; --r) {
    if (r % 2 == me % 2) order.push_back(r);
  }
  std::vector<int> vertices;
  for (int r : order) vertices.push_back(e.vertices[r]);
  const Hierarchy all = split_all(e.topology->parents(), vertices);
  std::array<MPI_Comm, 12> comms, roots;
  int depth = -1;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_all(part, MPI_INFO_NULL, 12, comms.data(), roots.data(), &depth));
  const std::vector<int>& levels = all.levels[rank_in(part)];
  CHECK_EQ(static_cast<int>(levels.size()), depth);
  const auto in_world = [&](Ranks ranks) {
    for (int& r : ranks) r = order[r];
    return ranks;
  };
  for (int i = 0; i < std::min<int>(depth, static_cast<int>(levels.size())); ++i) {
    const Communicator& c = all.comms[levels[i]];
    CHECK_EQ(in_world(c.members), members_of(comms[i]));
    CHECK_EQ(c.members.front() == rank_in(part) ? in_world(all.roots(c)) : Ranks{}, members_of(roots[i]));
    check_info(t, comms[i], all.num_comms(c), c.index, e.topology->name(c.cover));
  }
  for (int i = 0; i < 12; ++i) {
    release(comms[i]);
    release(roots[i]);
  }
  MPI_Comm_free(&part);
}

}  // namespace strata::mpix::testing
