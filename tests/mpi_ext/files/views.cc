// SPDX-License-Identifier: LGPL-2.1-only
// Views of a file.
#include <mpi.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/files/contents.h"
#include "tests/mpi_ext/files/tests.h"

namespace strata::mpix::testing {

// A matrix of 4 x 2P ints, of which each rank has two columns.
void check_views(Checks& t, MPI_Comm comm, const std::string& path) {
  const int me = rank_in(comm), size = size_of(comm), columns = 2 * size;
  std::vector<int> expected{-7};
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < columns; ++column) expected.push_back(1000 * (column / 2) + 2 * row + column % 2);
  MPI_Datatype filetype = MPI_DATATYPE_NULL, strided = MPI_DATATYPE_NULL;
  for (int way = 0; way < 3; ++way) {
    if (way == 0) {
      const int sizes[] = {4, columns}, distributions[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK};
      const int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, processes[] = {1, size};
      // SMPI's declaration lacks const.
      MPI_Type_create_darray(size, me, 2, const_cast<int*>(sizes), const_cast<int*>(distributions),
                             const_cast<int*>(arguments), const_cast<int*>(processes), MPI_ORDER_C, MPI_INT, &filetype);
    } else {  // only a row: the file is tiled with it
      MPI_Datatype pair = MPI_DATATYPE_NULL;
      const int length = 2, at = 2 * me;
      MPI_Type_indexed(1, &length, &at, MPI_INT, &pair);
      MPI_Type_create_resized(pair, 0, static_cast<MPI_Aint>(columns) * kInt, &filetype);
      MPI_Type_free(&pair);
    }
    MPI_Type_commit(&filetype);
    MPI_File file = open_new(t, comm, path);
    MPI_Status status;
    const int mark = -7;
    CHECK_EQ(MPI_SUCCESS, MPI_File_write_at(file, 0, &mark, me == 0 ? 1 : 0, MPI_INT, &status));
    CHECK_EQ(MPI_SUCCESS, MPI_File_set_view(file, kInt, MPI_INT, filetype, "native", MPI_INFO_NULL));
    MPI_Offset displacement = -1, byte = -1, position = -1;
    MPI_Datatype etype_now = MPI_DATATYPE_NULL, filetype_now = MPI_DATATYPE_NULL;
    char representation[MPI_MAX_DATAREP_STRING] = "";
    CHECK_EQ(MPI_SUCCESS, MPI_File_get_view(file, &displacement, &etype_now, &filetype_now, representation));
    CHECK_EQ(static_cast<MPI_Offset>(kInt), displacement);
    CHECK_EQ(std::string("native"), std::string(representation));
    CHECK_TRUE(etype_now == MPI_INT);
    int bytes = 0;
    MPI_Type_size(filetype_now, &bytes);
    CHECK_EQ((way == 0 ? 8 : 2) * kInt, bytes);
    MPI_Type_free(&filetype_now);
    CHECK_EQ(MPI_SUCCESS, MPI_File_get_byte_offset(file, 3, &byte));
    CHECK_EQ(static_cast<MPI_Offset>((1 + columns + 2 * me + 1) * kInt), byte);
    const std::vector<int> mine = from(me, 8);
    if (way == 2) {  // from memory with gaps
      std::vector<int> spread(16, -3), again(16, -3);
      for (std::size_t i = 0; i < 8; ++i) spread[2 * i] = mine[i];
      MPI_Type_vector(8, 1, 2, MPI_INT, &strided);
      MPI_Type_commit(&strided);
      CHECK_EQ(MPI_SUCCESS, MPI_File_write_all(file, spread.data(), 1, strided, &status));
      CHECK_EQ(MPI_SUCCESS, MPI_File_seek(file, 0, MPI_SEEK_SET));
      CHECK_EQ(MPI_SUCCESS, MPI_File_read_all(file, again.data(), 1, strided, &status));
      CHECK_EQ(spread, again);
      MPI_Type_free(&strided);
    } else {
      CHECK_EQ(MPI_SUCCESS, MPI_File_write_all(file, mine.data(), 3, MPI_INT, &status));
      CHECK_EQ(MPI_SUCCESS, MPI_File_get_position(file, &position));
      CHECK_EQ(MPI_Offset{3}, position);
      CHECK_EQ(MPI_SUCCESS, MPI_File_write_all(file, mine.data() + 3, 5, MPI_INT, &status));
      CHECK_EQ(5 * kInt, bytes_in(status));
    }
    std::vector<int> got(8, -1);
    CHECK_EQ(MPI_SUCCESS, MPI_File_read_at_all(file, 0, got.data(), 8, MPI_INT, &status));
    CHECK_EQ(mine, got);
    check_contents(t, comm, file, path, expected);
    MPI_Type_free(&filetype);
  }
}

}  // namespace strata::mpix::testing
