// SPDX-License-Identifier: LGPL-2.1-only
// Hierarchies of given groups.
#include <mpi.h>

#include <vector>

#include "mpi_ext/hierarchy/whole.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/splits/groups.h"
#include "tests/mpi_ext/splits/tests.h"

namespace strata::mpix::testing {

void test_groups(Checks& t) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  std::vector<std::vector<int>> lists;
  for (int a = 1; a <= size; ++a) {
    for (int b = 1; b <= size; ++b) {
      if (a == size && b == 1) lists.push_back({a});
      if (a * b == size) lists.push_back({a, b});
      for (int c = 1; c <= size; ++c) {
        if (a * b * c == size) lists.push_back({a, b, c});
      }
    }
  }
  if (size == 1) lists.emplace_back();
  for (const std::vector<int>& groups : lists) {
    MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
    const int levels = static_cast<int>(groups.size());
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create_groups(MPI_COMM_WORLD, levels, groups.data(), &h));
    int depth = -1, parent = size;
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_depth(h, &depth));
    CHECK_EQ(levels, depth);
    CHECK_TRUE(h->consecutive);
    for (int i = 0; i < levels; ++i) {
      const int block = parent / groups[i];
      Ranks members(block), roots(groups[i]);
      for (int m = 0; m < block; ++m) members[m] = me / block * block + m;
      for (int g = 0; g < groups[i]; ++g) roots[g] = me / parent * parent + g * block;
      MPI_Comm comm = MPI_COMM_NULL, rootscomm = MPI_COMM_NULL;
      CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(h, i, &comm, &rootscomm));
      CHECK_EQ(members, members_of(comm));
      CHECK_EQ(me % block == 0 ? roots : Ranks{}, members_of(rootscomm));
      parent = block;
    }
    // It works: a broadcast from the last rank reaches all ranks.
    int word = me == size - 1 ? 4711 : 0;
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_bcast(&word, 1, MPI_INT, size - 1, h, MPIX_ALGORITHM_BINOMIAL, 0));
    CHECK_EQ(4711, word);
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  }
}

}  // namespace strata::mpix::testing
