// SPDX-License-Identifier: LGPL-2.1-only
// Errors of the program, and wrong arguments.
#include <mpi.h>

#include <cstring>
#include <string>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/supply/graphs.h"
#include "tests/mpi_ext/supply/tests.h"

namespace strata::mpix::testing {

void check_added_errors(Checks& t) {
  int added = -1, code = -1, of_known = -1, length = -1, there = 0;
  char text[MPI_MAX_ERROR_STRING] = "";
  CHECK_EQ(MPI_SUCCESS, MPI_Add_error_class(&added));
  CHECK_TRUE(added > MPI_ERR_LASTCODE);
  CHECK_EQ(MPI_SUCCESS, MPI_Add_error_code(added, &code));
  CHECK_TRUE(code > added);
  CHECK_EQ(MPI_SUCCESS, MPI_Add_error_code(MPI_ERR_TRUNCATE, &of_known));
#ifndef OPEN_MPI  // 4.1 says MPI_ERR_UNKNOWN
  CHECK_EQ(added, class_of(added));
#endif
  CHECK_EQ(added, class_of(code));
  CHECK_EQ(static_cast<int>(MPI_ERR_TRUNCATE), class_of(of_known));
  CHECK_EQ(MPI_SUCCESS, MPI_Error_string(code, text, &length));
  CHECK_EQ(std::string(), std::string(text));
  char own[] = "an error of this program";
  CHECK_EQ(MPI_SUCCESS, MPI_Add_error_string(code, own));
  CHECK_EQ(MPI_SUCCESS, MPI_Error_string(code, text, &length));
  CHECK_EQ(std::string(own), std::string(text));
  CHECK_EQ(static_cast<int>(std::strlen(own)), length);
  const int* last = nullptr;
  CHECK_EQ(MPI_SUCCESS, MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, static_cast<void*>(&last), &there));
  CHECK_TRUE(there != 0 && *last >= of_known);
}

void check_refused_communicators(Checks& t, MPI_Comm comm) {
  const int size = size_of(comm), dims[1] = {size + 1}, periods[1] = {0};
  MPI_Comm made = MPI_COMM_NULL, own = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  CHECK_TRUE(MPI_Cart_create(own, 1, dims, periods, 0, &made) != MPI_SUCCESS);
  CHECK_TRUE(made == MPI_COMM_NULL);
  MPI_Comm_free(&own);
#ifndef OPEN_MPI  // 4.1 does not notice it
  if (size < 2) return;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &all);
  MPI_Comm_split(comm, rank_in(comm) == 0 ? 0 : 1, 0, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  CHECK_EQ(static_cast<int>(MPI_ERR_GROUP), class_of(MPI_Comm_create(own, all, &made)));
  MPI_Group_free(&all);
  MPI_Comm_free(&own);
#endif
}

void check_errors(Checks& t, MPI_Comm comm) {
  MPI_Comm mine = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &mine);
  check_kind(t, MPI_UNDEFINED, mine);
  {
    CountedErrors errors(t);
    errors.handle(mine);
    int number = 0, in = 0, out = 0;
    CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Dist_graph_neighbors_count(mine, &in, &out, &number));
    CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Graphdims_get(mine, &in, &out));
#ifdef SMPI_H  // Open MPI 4.1 calls another communicator's handler; MPICH 4.0 does not check the ranks
    CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Neighbor_allgather(&in, 1, MPI_INT, &out, 1, MPI_INT, mine));
    MPI_Comm made = MPI_COMM_NULL;
    const int beyond = size_of(comm);
    CHECK_ERROR(MPI_ERR_RANK, MPI_Dist_graph_create_adjacent(mine, 1, &beyond, MPI_UNWEIGHTED, 0, nullptr,
                                                             MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
#endif
    // Open MPI 4.1 accepts a direction that does not exist. Strata reports it as MPICH does.
#if !defined(OPEN_MPI)
    const int size = size_of(comm), periodic = 1;
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
    errors.handle(ring);
    int before = -7, behind = -7;
    for (int direction : {1, 2}) CHECK_ERROR(MPI_ERR_ARG, MPI_Cart_shift(ring, direction, 1, &before, &behind));
    CHECK_EQ(-7, before);
    CHECK_EQ(-7, behind);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    MPI_Comm_free(&ring);
#endif
    MPI_Comm_set_errhandler(mine, MPI_ERRORS_RETURN);
  }
  MPI_Comm_free(&mine);
}

}  // namespace strata::mpix::testing
