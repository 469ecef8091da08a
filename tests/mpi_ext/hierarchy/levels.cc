// SPDX-License-Identifier: LGPL-2.1-only
// The levels of the hierarchy, one split after another.
#include <fcntl.h>
#include <mpi.h>

#include <vector>

#include "mpi_ext/hierarchy/split.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/hierarchy/tests.h"

namespace strata::mpix::testing {

void test_levels(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD);
  const std::vector<int>& levels = e.all.levels[me];
  MPI_Comm parent = MPI_COMM_WORLD;
  for (size_t level = 0;; ++level) {
    MPI_Comm comm = MPI_COMM_WORLD, roots = MPI_COMM_WORLD, other = MPI_COMM_WORLD;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(parent, MPI_INFO_NULL, &comm, &roots));
    CHECK_EQ(MPI_SUCCESS,
             MPIX_Comm_split_type(parent, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, rank_in(parent), MPI_INFO_NULL, &other));
    const bool expected = level < levels.size();
    CHECK_EQ(expected, comm != MPI_COMM_NULL);
    CHECK_EQ(expected, other != MPI_COMM_NULL);
    if (expected && comm != MPI_COMM_NULL && other != MPI_COMM_NULL) {
      const Communicator& c = e.all.comms[levels[level]];
      CHECK_EQ(c.members, members_of(comm));
      CHECK_EQ(c.members, members_of(other));
      check_info(t, comm, e.all.num_comms(c), c.index, e.topology->name(c.cover));
      check_info(t, other, e.all.num_comms(c), c.index, e.topology->name(c.cover));
      CHECK_EQ(c.members.front() == me ? e.all.roots(c) : Ranks{}, members_of(roots));
      int relation = MPI_IDENT;
      MPI_Comm_compare(parent, comm, &relation);
      CHECK_EQ(static_cast<int>(MPI_UNEQUAL), relation);
      MPI_Comm_compare(comm, other, &relation);
      CHECK_EQ(static_cast<int>(MPI_CONGRUENT), relation);
      // A dup works the same even after the original communicator is freed; null pointers are skipped.
      MPI_Comm dup;
      MPI_Comm_dup(other, &dup);
      MPI_Comm_free(&other);
      check_info(t, dup, e.all.num_comms(c), c.index, e.topology->name(c.cover));
      CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_hlevel_info(dup, nullptr, nullptr, nullptr));
      MPI_Comm_free(&dup);
    } else {
      CHECK_EQ(Ranks{}, members_of(roots));
    }
    release(roots);
    release(other);
    if (parent != MPI_COMM_WORLD) MPI_Comm_free(&parent);
    parent = comm;
    if (parent == MPI_COMM_NULL) break;
  }
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &h));
  int depth = -1;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_depth(h, &depth));
  CHECK_EQ(static_cast<int>(levels.size()), depth);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  CHECK_TRUE(h == MPIX_HIERARCHY_NULL);
}

}  // namespace strata::mpix::testing
