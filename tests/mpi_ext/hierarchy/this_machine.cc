// SPDX-License-Identifier: LGPL-2.1-only
// Without a placement: this machine as hwloc sees it, or as it shows it to each rank.
#include <fcntl.h>
#include <hwloc.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/hierarchy/siblings.h"
#include "tests/mpi_ext/hierarchy/tests.h"

namespace strata::mpix::testing {
namespace {

// The expected names from hwloc's own tree: of the deepest object that covers a set, regardless of its type.
std::set<std::string> names_covering(hwloc_topology_t topology, hwloc_const_bitmap_t set) {
  std::set<std::string> names;
  hwloc_obj_t object = hwloc_get_obj_covering_cpuset(topology, set);
  const auto add = [&](hwloc_obj_t o) {
    std::array<char, 64> text{};
    hwloc_obj_type_snprintf(text.data(), text.size(), o, 0);
    names.insert(text.data());
  };
  if (object == nullptr) return names;
  add(object);
  // A core with one PU has both names, and so does an object with a NUMA node of the same extent, which is a level
  // below it.
  if (object->type == HWLOC_OBJ_PU) add(object->parent);
  for (hwloc_obj_t m = object->memory_first_child; m != nullptr; m = m->next_sibling) add(m);
  return names;
}

}  // namespace

void test_live(Checks& t) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  hwloc_topology_t topology;
  hwloc_topology_init(&topology);
  hwloc_topology_load(topology);
  // The binding of each rank, as hwloc reports it.
  hwloc_bitmap_t mine = hwloc_bitmap_alloc();
  CHECK_EQ(0, hwloc_get_cpubind(topology, mine, HWLOC_CPUBIND_PROCESS));
  hwloc_bitmap_and(mine, mine, hwloc_topology_get_topology_cpuset(topology));
  std::array<char, 256> text{};
  hwloc_bitmap_list_snprintf(text.data(), text.size(), mine);
  std::vector<char> texts(256 * size);
  MPI_Allgather(text.data(), 256, MPI_CHAR, texts.data(), 256, MPI_CHAR, MPI_COMM_WORLD);
  std::vector<hwloc_bitmap_t> bindings;
  hwloc_bitmap_t all = hwloc_bitmap_alloc();
  for (int r = 0; r < size; ++r) {
    bindings.push_back(hwloc_bitmap_alloc());
    hwloc_bitmap_list_sscanf(bindings[r], texts.data() + 256 * r);
    hwloc_bitmap_or(all, all, bindings[r]);
  }
  const auto union_of = [&](const Ranks& ranks) {
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    for (int r : ranks) hwloc_bitmap_or(set, set, bindings[r]);
    std::set<std::string> names = names_covering(topology, set);
    hwloc_bitmap_free(set);
    return names;
  };
  if (me == 0) std::printf("bindings: %s ... %s\n", texts.data(), texts.data() + 256 * (size - 1));

  Ranks everybody(size);
  std::iota(everybody.begin(), everybody.end(), 0);
  MPI_Comm node = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &node));
  CHECK_EQ(everybody, members_of(node));
  int num = 0, index = -1;
  char* type = nullptr;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_hlevel_info(node, &num, &index, &type));
  CHECK_EQ(1, num);
  CHECK_EQ(0, index);
  CHECK_TRUE(union_of(everybody).count(type) == 1);
  release(node);
  for (int i = 0; i < size; ++i) {
    const int partner = (me + i) % size;
    CHECK_TRUE(union_of({me, partner}).count(min_hlevel(t, MPI_COMM_WORLD, {me, partner})) == 1);
  }
  CHECK_TRUE(union_of(everybody).count(min_hlevel(t, MPI_COMM_WORLD, everybody)) == 1);

  // Guided: ranks within the same object of a type.
  for (hwloc_obj_type_t type :
       {HWLOC_OBJ_MACHINE, HWLOC_OBJ_PACKAGE, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_CORE, HWLOC_OBJ_PU}) {
    std::vector<int> object(size, -1);
    for (int r = 0; r < size; ++r) {
      for (hwloc_obj_t o = nullptr; (o = hwloc_get_next_obj_by_type(topology, type, o)) != nullptr;) {
        if (hwloc_bitmap_isincluded(bindings[r], o->cpuset)) object[r] = static_cast<int>(o->logical_index);
      }
    }
    const Siblings wanted = siblings_of(object, me, [](int) { return true; });
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, const_cast<char*>("mpi_hw_resource_type"), const_cast<char*>(hwloc_obj_type_string(type)));
    MPI_Comm guided = MPI_COMM_WORLD;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_HW_GUIDED, me, info, &guided));
    CHECK_EQ(wanted.members, members_of(guided));
    MPI_Info_free(&info);
    int got_num = 0, got_index = -1;
    if (guided != MPI_COMM_NULL) {
      CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_hlevel_info(guided, &got_num, &got_index, nullptr));
      CHECK_EQ(wanted.num_comms, got_num);
      CHECK_EQ(wanted.index, got_index);
    }
    release(guided);
    // The info also says whether the process is within such an object.
    MPI_Info resources;
    CHECK_EQ(MPI_SUCCESS, MPIX_Get_hw_resource_info(&resources));
    const std::string uri = std::string("hwloc://") + hwloc_obj_type_string(type);
    std::array<char, 8> value{};
    int found = 0;
    MPI_Info_get(resources, const_cast<char*>(uri.c_str()), 7, value.data(), &found);
    CHECK_EQ(1, found);
    CHECK_EQ(std::string(object[me] >= 0 ? "true" : "false"), std::string(value.data()));
    MPI_Info_free(&resources);
  }

  // One split: by the child of the object that covers all bindings.
  MPI_Comm comm = MPI_COMM_NULL, roots = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &roots));
  const hwloc_obj_t object = hwloc_get_obj_covering_cpuset(topology, all);
  Ranks expected;
  for (hwloc_obj_t child = object->first_child; child != nullptr; child = child->next_sibling) {
    if (!hwloc_bitmap_isincluded(mine, child->cpuset)) continue;
    for (int r = 0; r < size; ++r) {
      if (hwloc_bitmap_isincluded(bindings[r], child->cpuset)) expected.push_back(r);
    }
  }
  if (expected.size() == static_cast<size_t>(size)) expected.clear();  // all on one core, which has a single PU
  CHECK_EQ(expected, members_of(comm));
  if (me == 0) std::printf("rank 0: %zu members one level below\n", members_of(comm).size());
  release(comm);
  release(roots);
  for (hwloc_bitmap_t b : bindings) hwloc_bitmap_free(b);
  hwloc_bitmap_free(all);
  hwloc_bitmap_free(mine);
  hwloc_topology_destroy(topology);
}

void test_mixed_trees(Checks& t) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  Ranks everybody(size);
  std::iota(everybody.begin(), everybody.end(), 0);
  MPI_Comm comm = MPI_COMM_NULL, roots = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &comm));
  CHECK_EQ(everybody, members_of(comm));
  check_info(t, comm, 1, 0, "Machine");
  release(comm);
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &roots));
  CHECK_TRUE(comm == MPI_COMM_NULL);
  CHECK_TRUE(roots == MPI_COMM_NULL);
  CHECK_EQ(std::string("Machine"), min_hlevel(t, MPI_COMM_WORLD, everybody));
  test_broadcast(t, MPI_COMM_WORLD, true);
}

}  // namespace strata::mpix::testing
