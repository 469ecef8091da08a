// SPDX-License-Identifier: LGPL-2.1-only
// Counts of elements, and distributed arrays.
#include <mpi.h>

#include <array>
#include <numeric>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/supply/graphs.h"
#include "tests/mpi_ext/supply/tests.h"

namespace strata::mpix::testing {

void check_datatypes(Checks& t) {
  MPI_Datatype found = MPI_DATATYPE_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_Type_match_size(MPI_TYPECLASS_REAL, sizeof(double), &found));
  int size = 0;
  MPI_Type_size(found, &size);
  CHECK_EQ(static_cast<int>(sizeof(double)), size);
  MPI_Aint external = 0;
  std::array<char, 11> format{"external32"};
  CHECK_EQ(MPI_SUCCESS, MPI_Pack_external_size(format.data(), 5, MPI_DOUBLE, &external));
  CHECK_EQ(static_cast<MPI_Aint>(5 * sizeof(double)), external);

  // Elements of an int and two doubles: a received message may end within an element.
  struct Mixed {
    int i;
    double d[2];
  };
  MPI_Datatype mixed = MPI_DATATYPE_NULL, row = MPI_DATATYPE_NULL;
  const std::array<int, 2> lengths = {1, 2};
  const std::array<MPI_Aint, 2> at = {0, sizeof(double)};
  const std::array<MPI_Datatype, 2> types = {MPI_INT, MPI_DOUBLE};
  MPI_Type_create_struct(2, lengths.data(), at.data(), types.data(), &mixed);
  MPI_Type_contiguous(2, mixed, &row);
  MPI_Type_commit(&mixed);
  MPI_Type_commit(&row);
  std::array<Mixed, 4> out{}, in{};
  for (int count = 0; count <= 3; ++count) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int elements = -1, whole = -1;
    MPI_Isend(out.data(), count, mixed, 0, 0, MPI_COMM_SELF, &request);
    MPI_Recv(in.data(), 2, row, 0, 0, MPI_COMM_SELF, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQ(MPI_SUCCESS, MPI_Get_elements(&status, row, &elements));
    CHECK_EQ(3 * count, elements);
    MPI_Get_count(&status, row, &whole);
    CHECK_EQ(count % 2 == 0 ? count / 2 : static_cast<int>(MPI_UNDEFINED), whole);
  }
  MPI_Type_free(&row);
  MPI_Type_free(&mixed);

  // A 6 x 5 array over 2 x 2 processes: the elements of each process's type.
  std::array<int, 30> array{};
  std::iota(array.begin(), array.end(), 0);
  std::array<int, 2> sizes = {6, 5}, kinds = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, arguments = {4, 2},
                     processes = {2, 2};
  for (const bool fortran : {false, true}) {
    for (int rank = 0; rank < 4; ++rank) {
      std::vector<int> expected;
      const int p = rank / 2, q = rank % 2;
      for (int outer = 0; outer < (fortran ? 5 : 6); ++outer) {
        for (int inner = 0; inner < (fortran ? 6 : 5); ++inner) {
          const int i = fortran ? inner : outer, j = fortran ? outer : inner;
          if (i / 4 == p && j / 2 % 2 == q) expected.push_back(outer * (fortran ? 6 : 5) + inner);
        }
      }
      MPI_Datatype part = MPI_DATATYPE_NULL;
      CHECK_EQ(MPI_SUCCESS,
               MPI_Type_create_darray(4, rank, 2, sizes.data(), kinds.data(), arguments.data(), processes.data(),
                                      fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, MPI_INT, &part));
      MPI_Type_commit(&part);
      MPI_Aint lower = -1, extent = -1;
      MPI_Type_get_extent(part, &lower, &extent);
      CHECK_EQ(static_cast<MPI_Aint>(sizeof array), extent);
      std::vector<int> got(expected.size(), -1);
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(array.data(), 1, part, 0, 0, MPI_COMM_SELF, &request);
      MPI_Recv(got.data(), static_cast<int>(got.size()), MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      CHECK_EQ(expected, got);
      MPI_Type_free(&part);
    }
  }
  MPI_Comm parent = MPI_COMM_SELF;
  CHECK_EQ(MPI_SUCCESS, MPI_Comm_get_parent(&parent));
  CHECK_TRUE(parent == MPI_COMM_NULL);
  CHECK_EQ(MPI_SUCCESS, MPI_Pcontrol(1));
}

}  // namespace strata::mpix::testing
