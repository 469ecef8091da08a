// SPDX-License-Identifier: LGPL-2.1-only
// All levels at once.
#include <fcntl.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "mpi_ext/hierarchy/split.h"
#include "mpi_ext/hierarchy/whole.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/counted_calls.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/splits/groups.h"
#include "tests/mpi_ext/splits/tests.h"

namespace strata::mpix::testing {

void test_all_levels(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD);
  const std::vector<int>& levels = e.all.levels[me];
  const int depth = static_cast<int>(levels.size());
  for (int max_depth : {0, 1, 2, 12}) {
    for (bool with_roots : {true, false}) {
      std::array<MPI_Comm, 12> comms, roots;
      comms.fill(MPI_COMM_WORLD);
      roots.fill(MPI_COMM_WORLD);
      int got = -1;
      forget_calls();
      CHECK_EQ(MPI_SUCCESS,
               MPIX_Comm_hsplit_all(MPI_COMM_WORLD, MPI_INFO_NULL, max_depth, max_depth > 0 ? comms.data() : nullptr,
                                    with_roots && max_depth > 0 ? roots.data() : nullptr, &got));
      const Calls made = calls();
      CHECK_EQ(depth, got);
      int created = 0;
      for (int i = 0; i < 12; ++i) {
        if (i >= max_depth) {
          CHECK_TRUE(comms[i] == MPI_COMM_WORLD && roots[i] == MPI_COMM_WORLD);  // not changed by the function
          continue;
        }
        const Communicator* c = i < depth ? &e.all.comms[levels[i]] : nullptr;
        CHECK_EQ(c == nullptr ? Ranks{} : c->members, members_of(comms[i]));
        if (c != nullptr) check_info(t, comms[i], e.all.num_comms(*c), c->index, e.topology->name(c->cover));
        const bool root = c != nullptr && c->members.front() == me;
        if (with_roots) CHECK_EQ(root ? e.all.roots(*c) : Ranks{}, members_of(roots[i]));
        if (!with_roots) CHECK_TRUE(roots[i] == MPI_COMM_WORLD);
        created += (c != nullptr ? 1 : 0) + (root && with_roots ? 1 : 0);
        release(comms[i]);
        if (with_roots) release(roots[i]);
      }
      CHECK_TRUE((made == Calls{1, 0, 0, created, 0}));
    }
  }
  // The hierarchy object: the same communicators, one agreement, and a bridge for each family with ranks left out.
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  forget_calls();
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &h));
  const Calls made = calls();
  int created = 0;
  for (int i = 0; i < depth; ++i) {
    const Communicator& c = e.all.comms[levels[i]];
    MPI_Comm comm = MPI_COMM_NULL, roots = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(h, i, &comm, &roots));
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(h, i, nullptr, nullptr));
    CHECK_EQ(c.members, members_of(comm));
    CHECK_EQ(c.members.front() == me ? e.all.roots(c) : Ranks{}, members_of(roots));
    created += 1 + (c.members.front() == me ? 1 : 0);
  }
  for (const Family& f : e.all.families) {  // bridges: the roots, and ranks that are left out
    const std::vector<int>& members = f.parent < 0 ? Ranks{} : e.all.comms[f.parent].members;
    const bool mine = f.parent < 0 || std::find(members.begin(), members.end(), me) != members.end();
    const auto in = [&](const Ranks& list) { return std::find(list.begin(), list.end(), me) != list.end(); };
    created += mine && !f.stragglers.empty() && (in(f.roots) || in(f.stragglers)) ? 1 : 0;
  }
  CHECK_TRUE((made == Calls{1, 0, 1, created, 0}));
  bool consecutive = true;
  for (const Communicator& c : e.all.comms) {
    consecutive = consecutive && c.members.back() - c.members.front() + 1 == static_cast<int>(c.members.size());
  }
  CHECK_EQ(consecutive, h->consecutive);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
}

}  // namespace strata::mpix::testing
