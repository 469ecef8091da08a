// SPDX-License-Identifier: LGPL-2.1-only
// Wrong arguments.
#include <fcntl.h>
#include <mpi.h>

#include <array>

#include "mpi_ext/hierarchy/split.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/splits/groups.h"
#include "tests/mpi_ext/splits/tests.h"

namespace strata::mpix::testing {

void test_errors(Checks& t) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm quiet = quiet_world();
  CountedErrors errors(t);
  errors.handle(quiet);
  std::array<MPI_Comm, 4> comms, roots;
  MPI_Comm comm = MPI_COMM_WORLD;
  int depth = 0;
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  // Arguments that are wrong on all ranks, and then only on one: all ranks get the error.
  for (bool wrong : {true, me == size - 1}) {
    MPI_Comm* null = wrong ? nullptr : &comm;
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, null));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_type(quiet, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, null));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_hsplit_with_roots(quiet, MPI_INFO_NULL, null, &comm));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_hsplit_with_roots(quiet, MPI_INFO_NULL, &comm, null));
    CHECK_ERROR(MPI_ERR_ARG,
                MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, 4, wrong ? nullptr : comms.data(), roots.data(), &depth));
    CHECK_ERROR(MPI_ERR_ARG,
                MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, 4, comms.data(), roots.data(), wrong ? nullptr : &depth));
    CHECK_ERROR(MPI_ERR_ARG,
                MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, wrong ? -1 : 4, comms.data(), roots.data(), &depth));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create(quiet, MPI_INFO_NULL, wrong ? nullptr : &h));
    CHECK_TRUE(h == MPIX_HIERARCHY_NULL);
    for (const char* bad : {"0", "-1", "1.5", "3rd"}) {
      const Info info(kLevel, wrong ? bad : "1");
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, 0, info, &comm));
      CHECK_TRUE(comm == MPI_COMM_NULL);
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_hsplit_with_roots(quiet, info, &comm, &roots[0]));
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_hsplit_all(quiet, info, 4, comms.data(), roots.data(), &depth));
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Hierarchy_create(quiet, info, &h));
      CHECK_TRUE(h == MPIX_HIERARCHY_NULL);
    }
    Info both(kType, "Package");
    if (wrong) both.set(kSet, "mpi://WORLD");
    CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_RESOURCE_GUIDED, 0, both, &comm));
    CHECK_TRUE(comm == MPI_COMM_NULL);

    const std::array<int, 2> right = {1, size};
    const std::array<int, 2> groups = {1, wrong ? size + 1 : size};
    const std::array<int, 2> zero = {wrong ? 0 : 1, size};
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 2, groups.data(), &h));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 2, zero.data(), &h));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 2, wrong ? nullptr : right.data(), &h));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, wrong ? -1 : 2, right.data(), &h));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 2, right.data(), wrong ? nullptr : &h));
    CHECK_TRUE(h == MPIX_HIERARCHY_NULL);
  }
  // Valid arguments that differ between ranks.
  if (size > 1) {
    const bool last = me == size - 1;
    for (const char* one : {"1", "Core"}) {
      const Info info(kLevel, one);
      const MPI_Info some = last ? MPI_INFO_NULL : info;
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_HW_UNGUIDED, 0, some, &comm));
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_hsplit_with_roots(quiet, some, &comm, &roots[0]));
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_hsplit_all(quiet, some, 4, comms.data(), roots.data(), &depth));
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Hierarchy_create(quiet, some, &h));
    }
    const Info type(kType, last ? "Package" : "Core"), set(kSet, last ? "mpi://WORLD" : "mpi://SELF");
    CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_HW_GUIDED, 0, type, &comm));
    CHECK_ERROR(MPI_ERR_INFO,
                MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_HW_GUIDED, 0, last ? MPI_INFO_NULL : type, &comm));
    CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_RESOURCE_GUIDED, 0, set, &comm));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_type(quiet, last ? MPIX_COMM_TYPE_HW_GUIDED : MPIX_COMM_TYPE_HW_UNGUIDED,
                                                  0, MPI_INFO_NULL, &comm));
    CHECK_ERROR(MPI_ERR_ARG,
                MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, last ? 3 : 4, comms.data(), roots.data(), &depth));
    CHECK_ERROR(MPI_ERR_ARG,
                MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, 4, comms.data(), last ? nullptr : roots.data(), &depth));
    for (MPI_Comm c : comms) CHECK_TRUE(c == MPI_COMM_NULL);
    const std::array<int, 2> groups = {last ? 1 : size, last ? size : 1};
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 2, groups.data(), &h));
    // A rank that does not take part need not know the arguments of the others.
    MPI_Comm part = MPI_COMM_WORLD;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(quiet, last ? static_cast<int>(MPI_UNDEFINED) : MPIX_COMM_TYPE_HW_GUIDED,
                                               0, last ? static_cast<MPI_Info>(MPI_INFO_NULL) : type, &part));
    CHECK_TRUE(!last || part == MPI_COMM_NULL);
    release(part);
  }
  const int one = 1;
  if (size > 1) CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 1, &one, &h));
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(quiet, MPI_INFO_NULL, &h));
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_depth(h, &depth));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_level(h, -1, &comm, &comm));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_level(h, depth, &comm, &comm));
  for (int i = 0; i < depth; ++i) {  // the communicators have the same handler
    MPI_Comm level = MPI_COMM_NULL, level_roots = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(h, i, &level, &level_roots));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_get_hlevel_info(level_roots == MPI_COMM_NULL ? quiet : level_roots, nullptr,
                                                       nullptr, nullptr));
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_hlevel_info(level, nullptr, nullptr, nullptr));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_type(level, MPIX_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, nullptr));
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  // Given groups are not a level of the topology.
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create_groups(quiet, 1, &size, &h));
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(h, 0, &comm, nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_get_hlevel_info(comm, nullptr, nullptr, nullptr));
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  errors.handle(MPI_COMM_WORLD);
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_hsplit_all(MPI_COMM_NULL, MPI_INFO_NULL, 4, comms.data(), roots.data(), &depth));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Hierarchy_create_groups(MPI_COMM_NULL, 1, &one, &h));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_level(MPIX_HIERARCHY_NULL, 0, &comm, &comm));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_free(&h));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_free(nullptr));
  MPI_Comm self_handler = MPI_COMM_SELF;
  MPI_Comm_set_errhandler(self_handler, MPI_ERRORS_RETURN);
  CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(MPIX_Get_hw_resource_info(nullptr)));
  MPI_Comm_set_errhandler(self_handler, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&quiet);
}

}  // namespace strata::mpix::testing
