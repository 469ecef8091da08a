// SPDX-License-Identifier: LGPL-2.1-only
// Wrong arguments, and ranks without a binding.
#include <fcntl.h>
#include <mpi.h>

#include <array>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/hierarchy/broadcasts.h"
#include "tests/mpi_ext/hierarchy/tests.h"

namespace strata::mpix::testing {

void test_errors(Checks& t, bool real) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm quiet = quiet_world();
  CountedErrors errors(t);
  errors.handle(quiet);
  MPI_Comm comm = MPI_COMM_WORLD;
  int n = 0;
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_get_hlevel_info(quiet, &n, &n, nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, 0, MPI_INFO_NULL, nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_hsplit_with_roots(quiet, MPI_INFO_NULL, &comm, nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create(quiet, MPI_INFO_NULL, nullptr));
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(quiet, MPI_INFO_NULL, &h));
  for (const Broadcast& b :
       {Broadcast{quiet, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_LINEAR},
        Broadcast{quiet, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_BINOMIAL}, Broadcast{quiet, h, MPIX_ALGORITHM_LINEAR},
        Broadcast{quiet, h, MPIX_ALGORITHM_BINOMIAL}}) {
    CHECK_ERROR(MPI_ERR_COUNT, b(&n, -1, MPI_INT, 0));
    CHECK_ERROR(MPI_ERR_ROOT, b(&n, 1, MPI_INT, -1));
    CHECK_ERROR(MPI_ERR_ROOT, b(&n, 1, MPI_INT, size));
    CHECK_ERROR(MPI_ERR_TYPE, b(&n, 1, MPI_DATATYPE_NULL, 0));
    CHECK_ERROR(MPI_ERR_BUFFER, b(nullptr, 1, MPI_INT, 0));
    CHECK_EQ(MPI_SUCCESS, b(nullptr, 0, MPI_INT, 0));
    Broadcast unknown = b;
    unknown.algorithm = 17;
    CHECK_ERROR(MPI_ERR_ARG, unknown(&n, 1, MPI_INT, 0));
  }
  if (real && size > 1) {
    // An error during the collective: the members' buffers are smaller than the root's message. In a linear broadcast
    // all leaves get the error once, although the message is sent on one of the library's own communicators.
    std::array<int, 4> room{};
    for (MPIX_Hierarchy over : {MPIX_HIERARCHY_NULL, h}) {
      const Broadcast b{quiet, over, MPIX_ALGORITHM_LINEAR};
      if (over != MPIX_HIERARCHY_NULL && size > 2) continue;  // inner ranks that fail would leave others waiting
      if (me == 0) {
        CHECK_EQ(MPI_SUCCESS, b(room.data(), 4, MPI_INT, 0));
      } else {
        CHECK_ERROR(MPI_ERR_TRUNCATE, b(room.data(), 2, MPI_INT, 0));
      }
    }
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  if (real && size > 1) {
    MPI_Comm half, inter;
    MPI_Comm_split(quiet, me % 2, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 5, &inter);
    errors.handle(inter);
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_split_type(inter, MPIX_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, &comm));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_hsplit_with_roots(inter, MPI_INFO_NULL, &comm, &comm));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_hsplit_all(inter, MPI_INFO_NULL, 0, nullptr, nullptr, &n));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Hierarchy_create_groups(inter, 1, &size, &h));
    char* type = nullptr;
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_get_min_hlevel(inter, 1, &n, &type));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Bcast(&n, 1, MPI_INT, 0, inter, MPIX_ALGORITHM_LINEAR, 0));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Hierarchy_create(inter, MPI_INFO_NULL, &h));
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
  }
  // A null communicator has no handler, so MPI_COMM_WORLD's is called.
  errors.handle(MPI_COMM_WORLD);
  char* type = nullptr;
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_split_type(MPI_COMM_NULL, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_hsplit_with_roots(MPI_COMM_NULL, MPI_INFO_NULL, &comm, &comm));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_get_hlevel_info(MPI_COMM_NULL, &n, &n, &type));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_get_min_hlevel(MPI_COMM_NULL, 1, &n, &type));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_NULL, MPIX_ALGORITHM_LINEAR, 0));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Hierarchy_create(MPI_COMM_NULL, MPI_INFO_NULL, &h));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_free(&h));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_depth(MPIX_HIERARCHY_NULL, &n));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_bcast(&n, 1, MPI_INT, 0, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_LINEAR, 0));
  MPI_Comm_free(&quiet);
}

void test_short(Checks& t) {
  MPI_Comm quiet = quiet_world(), comm = MPI_COMM_WORLD, roots = MPI_COMM_WORLD;
  const int other = MPI_ERR_OTHER, me = rank_in(quiet);
  CHECK_EQ(other, class_of(MPIX_Comm_hsplit_with_roots(quiet, MPI_INFO_NULL, &comm, &roots)));
  CHECK_TRUE(comm == MPI_COMM_NULL);
  CHECK_TRUE(roots == MPI_COMM_NULL);
  MPI_Info package;
  MPI_Info_create(&package);
  MPI_Info_set(package, const_cast<char*>("mpi_hw_resource_type"), const_cast<char*>("Package"));
  for (int type : {static_cast<int>(MPI_COMM_TYPE_SHARED), MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, MPIX_COMM_TYPE_HW_UNGUIDED,
                   MPIX_COMM_TYPE_HW_GUIDED, MPIX_COMM_TYPE_RESOURCE_GUIDED}) {
    comm = MPI_COMM_WORLD;
    CHECK_EQ(other, class_of(MPIX_Comm_split_type(quiet, type, 0, package, &comm)));
    CHECK_TRUE(comm == MPI_COMM_NULL);
  }
  MPI_Info_free(&package);
  int depth = -1;
  CHECK_EQ(other, class_of(MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, 1, &comm, &roots, &depth)));
  CHECK_TRUE(comm == MPI_COMM_NULL);
  CHECK_TRUE(roots == MPI_COMM_NULL);
  char* type = nullptr;
  CHECK_EQ(other, class_of(MPIX_Comm_get_min_hlevel(quiet, 1, &me, &type)));
  // Failed calls leave no communicator behind; this is repeated more often than MPICH has context ids.
  for (int i = 0; i < 2100; ++i) {
    MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
    CHECK_EQ(other, class_of(MPIX_Hierarchy_create(quiet, MPI_INFO_NULL, &h)));
    CHECK_TRUE(h == MPIX_HIERARCHY_NULL);
  }
  // A broadcast does not need places.
  check_contiguous(t, {quiet, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_BINOMIAL}, 7, 0);
  MPI_Comm_free(&quiet);
}

}  // namespace strata::mpix::testing
