// SPDX-License-Identifier: LGPL-2.1-only
// Guided splits, compared with hwloc's tree and the bindings.
#include <fcntl.h>
#include <hwloc.h>
#include <mpi.h>

#include <cstring>
#include <string>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/splits/groups.h"
#include "tests/mpi_ext/splits/tests.h"

namespace strata::mpix::testing {
namespace {

struct Named {
  std::vector<std::string> names;
  hwloc_obj_type_t type;
};

}  // namespace

void test_guided(Checks& t, const Expected& e) {
  const Bindings bindings(e);
  const int size = size_of(MPI_COMM_WORLD);
  const std::vector<Named> kTypes = {{{"Machine", "machine"}, HWLOC_OBJ_MACHINE},
                                     {{"Package", "Socket"}, HWLOC_OBJ_PACKAGE},
                                     {{"NUMANode", "numanode"}, HWLOC_OBJ_NUMANODE},
                                     {{"L3", "l3cache"}, HWLOC_OBJ_L3CACHE},
                                     {{"L2"}, HWLOC_OBJ_L2CACHE},
                                     {{"L1", "L1d"}, HWLOC_OBJ_L1CACHE},
                                     {{"Core", "CORE"}, HWLOC_OBJ_CORE},
                                     {{"PU"}, HWLOC_OBJ_PU},
                                     {{"Die"}, HWLOC_OBJ_DIE}};
  for (const Named& n : kTypes) {
    const Groups groups = bindings.on(n.type);
    for (const std::string& name : n.names) {
      check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, Info(kType, name), groups);
    }
    check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kType, n.names[0]), groups);
    check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kType, "hwloc://" + n.names[0]), groups);
  }
  const Groups nobody(size), nodes = bindings.on(HWLOC_OBJ_MACHINE);
  for (const char* unknown : {"", "Shelf", "L9", "hwloc://L3", "mpi://WORLD"}) {
    if (*unknown == '\0') continue;  // MPI may refuse an empty value
    check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, Info(kType, unknown), nobody);
  }
  check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kType, "pci://L3"), nobody);
  check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, MPI_INFO_NULL, nobody);
  check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, Info("key", "value"), nobody);
  check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, Info(kSet, "mpi://WORLD"), nobody);  // not a key of this type
  check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, MPI_INFO_NULL, nobody);
  for (int type : {MPIX_COMM_TYPE_HW_GUIDED, MPIX_COMM_TYPE_RESOURCE_GUIDED}) {
    check_split(t, e, type, Info(kType, "mpi_shared_memory"), nodes);
  }
  check_split(t, e, MPI_COMM_TYPE_SHARED, MPI_INFO_NULL, nodes);

  Groups together(size, "all"), alone;
  for (int r = 0; r < size; ++r) alone.push_back(sortable(r));
  check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kSet, "mpi://WORLD"), together);
  check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kSet, "mpi://SELF"), alone);
  check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kSet, "mpi://OTHER"), nobody);

  for (const char* level : {"Switch", "Pod"}) {
    const Groups groups = on_network(e, level);
    check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, Info(kType, level), groups);
    check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kType, std::string("strata://") + level), groups);
    check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kType, std::string("hwloc://") + level), nobody);
  }

  // Unguided: on return the info contains the name of the level, if there is one.
  const int me = rank_in(MPI_COMM_WORLD);
  Info unguided("untouched", "yes");
  MPI_Comm comm = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_HW_UNGUIDED, 0, unguided, &comm));
  const std::vector<int>& levels = e.all.levels[me];
  CHECK_EQ(levels.empty() ? Ranks{} : e.all.comms[levels[0]].members, members_of(comm));
  CHECK_EQ(levels.empty() ? std::string("(none)") : e.topology->name(e.all.comms[levels[0]].cover),
           value_of(unguided, kType));
  CHECK_EQ(std::string("yes"), value_of(unguided, "untouched"));
  release(comm);
  comm = MPI_COMM_WORLD;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &comm));
  CHECK_EQ(levels.empty(), comm == MPI_COMM_NULL);
  release(comm);
}

}  // namespace strata::mpix::testing
