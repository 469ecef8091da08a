// SPDX-License-Identifier: LGPL-2.1-only
// Splits straight to a level, compared with the pure core's whole hierarchy, member by member.
#include <mpi.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstdlib>
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
namespace {

// By rank, the group of its communicator at the level that `value` names, from `depth` on. Advances `depth` to the
// level below.
Groups hinted(const Expected& e, const std::string& value, std::vector<size_t>* depth) {
  const int number = std::atoi(value.c_str());
  Groups groups(depth->size());
  for (size_t r = 0; r < groups.size(); ++r) {
    const std::vector<int>& levels = e.all.levels[r];
    size_t d = (*depth)[r];
    if (number > 0) {
      d += number - 1;
    } else {
      while (d < levels.size() &&
             ::strcasecmp(e.topology->name(e.all.comms[levels[d]].cover).c_str(), value.c_str()) != 0) {
        ++d;
      }
    }
    // Sorted by the members' deepest objects.
    if (d < levels.size()) groups[r] = sortable(e.all.comms[levels[d]].cover) + " " + sortable(levels[d]);
    (*depth)[r] = d + 1;
  }
  return groups;
}

}  // namespace

void test_hints(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  std::set<std::string> values = {"1", "2", "3", "4", "7", "nosuch", "12345678901234567890"};
  for (const Communicator& c : e.all.comms) {
    std::string name = e.topology->name(c.cover);
    values.insert(name);
    for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    values.insert(name);
  }
  for (const std::string& value : values) {
    const Info info(kLevel, value);
    // Repeated until no communicator is left, and all levels at once.
    std::vector<MPI_Comm> comms, roots;
    std::vector<size_t> depth(size, 0);
    Groups before(size, "all");
    MPI_Comm parent = MPI_COMM_WORLD;
    while (parent != MPI_COMM_NULL) {
      const Groups groups = value == "12345678901234567890" ? Groups(size) : hinted(e, value, &depth);
      const auto sibling = [&](int r) { return before[r] == before[me]; };
      const Seen expected = seen_by(me, groups, sibling);
      MPI_Comm comm = MPI_COMM_WORLD, rootscomm = MPI_COMM_WORLD, other = MPI_COMM_WORLD;
      forget_calls();
      CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(parent, info, &comm, &rootscomm));
      const bool root = !expected.members.empty() && expected.members.front() == me;
      CHECK_TRUE((calls() == Calls{1, 0, 0, (expected.members.empty() ? 0 : 1) + (root ? 1 : 0), 0}));
      CHECK_EQ(expected.members, members_of(comm));
      CHECK_EQ(root ? expected.roots : Ranks{}, members_of(rootscomm));
      for (int type : {MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, MPIX_COMM_TYPE_HW_UNGUIDED}) {
        CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(parent, type, 0, info, &other));
        CHECK_EQ(expected.members, members_of(other));
        if (other != MPI_COMM_NULL && comm != MPI_COMM_NULL) {
          check_info(t, other, expected.num_comms, expected.index, e.name_of(expected.members));
          check_info(t, comm, expected.num_comms, expected.index, e.name_of(expected.members));
        }
        release(other);
      }
      comms.push_back(comm);
      roots.push_back(rootscomm);
      before = groups;
      parent = comm;
    }
    std::array<MPI_Comm, 16> all, all_roots;
    int levels = -1;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_all(MPI_COMM_WORLD, info, 16, all.data(), all_roots.data(), &levels));
    CHECK_EQ(static_cast<int>(comms.size()) - 1, levels);
    for (int i = 0; i < std::min(levels, static_cast<int>(comms.size())); ++i) {
      CHECK_EQ(members_of(comms[i]), members_of(all[i]));
      CHECK_EQ(members_of(roots[i]), members_of(all_roots[i]));
      int num = 0, index = 0;
      char* type = nullptr;
      MPIX_Comm_get_hlevel_info(comms[i], &num, &index, &type);
      check_info(t, all[i], num, index, type);
    }
    for (std::vector<MPI_Comm>* list : {&comms, &roots}) {
      for (MPI_Comm& c : *list) release(c);
    }
    for (int i = 0; i < 16; ++i) {
      CHECK_TRUE(i < levels || (all[i] == MPI_COMM_NULL && all_roots[i] == MPI_COMM_NULL));
      release(all[i]);
      release(all_roots[i]);
    }
  }
}

}  // namespace strata::mpix::testing
