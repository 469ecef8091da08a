// SPDX-License-Identifier: LGPL-2.1-only
// Types with a padded end.
#include <mpi.h>

#include <array>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/datatypes/memory.h"
#include "tests/mpi_ext/datatypes/tests.h"

namespace strata::mpix::testing {

// {double, int}, whose elements are padded to 16 bytes.
void check_padding(Checks& t, MPI_Comm comm) {
  struct Pair {
    double d;
    int i;
  };
  const std::array<int, 2> lengths = {1, 1};
  const std::array<MPI_Aint, 2> places = {0, 8};
  const std::array<MPI_Datatype, 2> types = {MPI_DOUBLE, MPI_INT};
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &pair);
  MPI_Type_commit(&pair);
  MPI_Aint lower = -1, extent = -1;
  MPI_Type_get_extent(pair, &lower, &extent);
  CHECK_EQ(16, extent);
  std::array<Pair, 5> sent{}, got{};
  for (int i = 0; i < 5; ++i) sent[i] = {i + 0.5, i};
  const int rank = rank_in(comm), size = size_of(comm);
  MPI_Sendrecv(sent.data(), 5, pair, (rank + 1) % size, 0, got.data(), 5, pair, (rank + size - 1) % size, 0, comm,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < 5; ++i) {
    CHECK_EQ(i + 0.5, got[i].d);
    CHECK_EQ(i, got[i].i);
  }
  MPI_Type_free(&pair);
  int bytes = 0;
  MPI_Type_size(MPI_DOUBLE_INT, &bytes);
  CHECK_EQ(12, bytes);
  MPI_Type_get_extent(MPI_DOUBLE_INT, &lower, &extent);
  CHECK_EQ(16, extent);
}

}  // namespace strata::mpix::testing
