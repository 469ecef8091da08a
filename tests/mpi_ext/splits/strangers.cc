// SPDX-License-Identifier: LGPL-2.1-only
// Six ranks that know only their own nodes: 0 and 1 are on the two packages of a node of RR-9077, Figure 1, and 2 is on
// core 1 of another such node. 3 to 5 read another file: 3 and 4 are on cores 0 and 1 of such a node, 5 is unbound
// there. The expected results are written by hand.
#include <fcntl.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <string>
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

void test_strangers(Checks& t) {
  const int me = rank_in(MPI_COMM_WORLD);
  struct Wanted {
    Ranks members;
    int num_comms, index;
    const char* type;
    Ranks roots;
  };
  const auto check = [&](MPI_Info info, const std::map<int, Wanted>& wanted, int allgathers) {
    MPI_Comm comm = MPI_COMM_WORLD, roots = MPI_COMM_WORLD;
    forget_calls();
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(MPI_COMM_WORLD, info, &comm, &roots));
    const auto mine = wanted.find(me);
    const bool in = mine != wanted.end(), root = in && mine->second.members.front() == me;
    CHECK_TRUE((calls() == Calls{1, allgathers, 0, (in ? 1 : 0) + (root ? 1 : 0), 0}));
    CHECK_EQ(in ? mine->second.members : Ranks{}, members_of(comm));
    CHECK_EQ(root ? mine->second.roots : Ranks{}, members_of(roots));
    if (in && comm != MPI_COMM_NULL) {
      check_info(t, comm, mine->second.num_comms, mine->second.index, mine->second.type);
    }
    release(comm);
    release(roots);
  };
  const Ranks b = {3, 4, 5}, first = {0, 2, 3};
  check(MPI_INFO_NULL,
        {{0, {{0, 1}, 3, 0, "Machine", first}},
         {1, {{0, 1}, 3, 0, "Machine", first}},
         {2, {{2}, 3, 1, "Core", first}},
         {3, {b, 3, 2, "Machine", first}},
         {4, {b, 3, 2, "Machine", first}},
         {5, {b, 3, 2, "Machine", first}}},
        1);
  const Ranks five = {0, 1, 2, 3, 4};
  check(Info(kLevel, "Core"),
        {{0, {{0}, 5, 0, "Core", five}},
         {1, {{1}, 5, 1, "Core", five}},
         {2, {{2}, 5, 2, "Core", five}},
         {3, {{3}, 5, 3, "Core", five}},
         {4, {{4}, 5, 4, "Core", five}}},
        2);
  check(Info(kLevel, "l1d"), {{3, {{3, 4}, 1, 0, "L1d", {3}}}, {4, {{3, 4}, 1, 0, "L1d", {3}}}}, 2);
  check(Info(kLevel, "2"),
        {{0, {{0}, 3, 0, "Core", {0, 1, 3}}},
         {1, {{1}, 3, 1, "Core", {0, 1, 3}}},
         {3, {{3, 4}, 3, 2, "L1d", {0, 1, 3}}},
         {4, {{3, 4}, 3, 2, "L1d", {0, 1, 3}}}},
        2);
  check(Info(kLevel, "Pod"), {}, 2);

  // Guided splits: also without rank 3, and with keys that reverse the order.
  const auto guided = [&](const char* type, const Ranks& index, bool without_3, bool reversed) {
    Ranks members;
    std::set<int> all;
    for (int r = 0; r < 6; ++r) {
      if (index[r] < 0 || (without_3 && r == 3)) continue;
      all.insert(index[r]);
      if (index[r] == index[me]) members.push_back(r);
    }
    const bool in = index[me] >= 0 && !(without_3 && me == 3);
    if (reversed) std::reverse(members.begin(), members.end());
    MPI_Comm comm = MPI_COMM_WORLD;
    CHECK_EQ(MPI_SUCCESS,
             MPIX_Comm_split_type(MPI_COMM_WORLD,
                                  without_3 && me == 3 ? static_cast<int>(MPI_UNDEFINED) : MPIX_COMM_TYPE_HW_GUIDED,
                                  reversed ? -me : 0, Info(kType, type), &comm));
    CHECK_EQ(in ? members : Ranks{}, members_of(comm));
    if (in && comm != MPI_COMM_NULL) {
      int num = 0, got = -1;
      CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_hlevel_info(comm, &num, &got, nullptr));
      CHECK_EQ(static_cast<int>(all.size()), num);
      CHECK_EQ(static_cast<int>(std::distance(all.begin(), all.find(index[me]))), got);
    }
    release(comm);
  };
  for (bool without_3 : {false, true}) {
    for (bool reversed : {false, true}) {
      guided("Machine", {0, 0, 1, 2, 2, 2}, without_3, reversed);
      guided("mpi_shared_memory", {0, 0, 1, 2, 2, 2}, without_3, reversed);
      guided("Package", {0, 1, 2, 3, 3, -1}, without_3, reversed);
      guided("PU", {0, 1, 2, 3, 4, -1}, without_3, reversed);
      guided("System - Cluster", {0, 0, 0, 0, 0, 0}, without_3, reversed);
      guided("Switch", {-1, -1, -1, -1, -1, -1}, without_3, reversed);
    }
  }
  // A hint without rank 3: of {3, 4} only rank 4 is left, on its core.
  MPI_Comm comm = MPI_COMM_WORLD;
  CHECK_EQ(
      MPI_SUCCESS,
      MPIX_Comm_split_type(MPI_COMM_WORLD, me == 3 ? static_cast<int>(MPI_UNDEFINED) : MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY,
                           0, me == 3 ? static_cast<MPI_Info>(MPI_INFO_NULL) : Info(kLevel, "L1d"), &comm));
  CHECK_EQ(me == 4 ? Ranks{4} : Ranks{}, members_of(comm));
  if (me == 4 && comm != MPI_COMM_NULL) check_info(t, comm, 1, 0, "Core");
  release(comm);

  // Names across nodes and within a node.
  const auto lowest = [&](Ranks ranks) {
    char* type = nullptr;
    CHECK_EQ(MPI_SUCCESS,
             MPIX_Comm_get_min_hlevel(MPI_COMM_WORLD, static_cast<int>(ranks.size()), ranks.data(), &type));
    return std::string(type == nullptr ? "(null)" : type);
  };
  const char* with_0[] = {
      "Core", "Machine", "System - Cluster", "System - Cluster", "System - Cluster", "System - Cluster"};
  CHECK_EQ(std::string(with_0[me]), lowest({me, 0}));
  const char* with_3[] = {"System - Cluster", "System - Cluster", "System - Cluster", "Core", "L1d", "Machine"};
  CHECK_EQ(std::string(with_3[me]), lowest({3, me}));

  // All levels, and the hierarchy object, whose ranks are consecutive.
  const std::vector<std::vector<Ranks>> levels = {{{0, 1}, {0}},    {{0, 1}, {1}},    {{2}},
                                                  {b, {3, 4}, {3}}, {b, {3, 4}, {4}}, {b}};
  std::array<MPI_Comm, 8> comms, roots;
  int depth = -1;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_all(MPI_COMM_WORLD, MPI_INFO_NULL, 8, comms.data(), roots.data(), &depth));
  CHECK_EQ(static_cast<int>(levels[me].size()), depth);
  for (int i = 0; i < depth && i < static_cast<int>(levels[me].size()); ++i) {
    CHECK_EQ(levels[me][i], members_of(comms[i]));
  }
  for (int i = 0; i < 8; ++i) {
    release(comms[i]);
    release(roots[i]);
  }
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &h));
  CHECK_TRUE(h->consecutive);
  for (int root = 0; root < 6; ++root) {
    int word = me == root ? 100 + root : 0;
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_bcast(&word, 1, MPI_INT, root, h, MPIX_ALGORITHM_BINOMIAL, 0));
    CHECK_EQ(100 + root, word);
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  // In the order 0, 2, 4, 1, 3, 5 neither node has consecutive ranks, and all ranks know this.
  MPI_Comm mixed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, me % 2 * 10 + me, &mixed);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(mixed, MPI_INFO_NULL, &h));
  CHECK_TRUE(!h->consecutive);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  MPI_Comm_free(&mixed);
}

}  // namespace strata::mpix::testing
