// SPDX-License-Identifier: LGPL-2.1-only
// The size of a file, and what is known about it.
#include <mpi.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/files/contents.h"
#include "tests/mpi_ext/files/tests.h"

namespace strata::mpix::testing {

// The end of the file, and sizes.
void check_size(Checks& t, MPI_Comm comm, const std::string& path) {
  const int me = rank_in(comm), size = size_of(comm);
  MPI_File file = open_new(t, comm, path, MPI_MODE_DELETE_ON_CLOSE);
  MPI_Status status;
  MPI_Offset bytes = -1, position = -1;
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_size(file, &bytes));
  CHECK_EQ(MPI_Offset{0}, bytes);
  MPI_Barrier(comm);
  CHECK_EQ(MPI_SUCCESS, MPI_File_set_size(file, 10 * kInt));
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_size(file, &bytes));
  CHECK_EQ(MPI_Offset{10 * kInt}, bytes);
  MPI_Barrier(comm);
#ifdef OPEN_MPI
  // Open MPI 4.1's preallocate leaves the ranks out of step: the next collective call fails or hangs.
  CHECK_EQ(MPI_SUCCESS, MPI_File_set_size(file, 20 * kInt));
#else
  CHECK_EQ(MPI_SUCCESS, MPI_File_preallocate(file, 20 * kInt));
#endif
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_size(file, &bytes));
  CHECK_EQ(MPI_Offset{20 * kInt}, bytes);
  CHECK_EQ(MPI_SUCCESS, MPI_File_set_view(file, 2 * kInt, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  CHECK_EQ(MPI_SUCCESS, MPI_File_seek(file, -3, MPI_SEEK_END));
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_position(file, &position));
  CHECK_EQ(MPI_Offset{15}, position);
  std::vector<int> got(5, -1);
  CHECK_EQ(MPI_SUCCESS, MPI_File_read(file, got.data(), 5, MPI_INT, &status));
  CHECK_EQ(3 * kInt, bytes_in(status));
  CHECK_EQ((std::vector<int>{0, 0, 0, -1, -1}), got);
  CHECK_EQ(MPI_SUCCESS, MPI_File_read(file, got.data(), 5, MPI_INT, &status));
  CHECK_EQ(0, bytes_in(status));
  MPI_Barrier(comm);
  CHECK_EQ(MPI_SUCCESS, MPI_File_set_size(file, kInt));
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_size(file, &bytes));
  CHECK_EQ(MPI_Offset{kInt}, bytes);

  int amode = 0, atomic = -1, members = 0;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Aint extent = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_amode(file, &amode));
  CHECK_EQ(MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, amode);
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_atomicity(file, &atomic));
  CHECK_EQ(0, atomic);
  CHECK_EQ(MPI_SUCCESS, MPI_File_set_atomicity(file, 1));
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_atomicity(file, &atomic));
  CHECK_TRUE(atomic != 0);
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_group(file, &group));
  MPI_Group_size(group, &members);
  CHECK_EQ(size, members);
  MPI_Group_rank(group, &members);
  CHECK_EQ(me, members);
  MPI_Group_free(&group);
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_type_extent(file, MPI_DOUBLE, &extent));
  CHECK_EQ(MPI_Aint{8}, extent);
  MPI_Info info = MPI_INFO_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_info(file, &info));
  CHECK_TRUE(info != MPI_INFO_NULL);
  MPI_Info_free(&info);
  CHECK_TRUE(MPI_File_f2c(MPI_File_c2f(file)) == file);
  close(t, comm, file);
  CHECK_TRUE(!std::ifstream(path).good());
  MPI_Barrier(comm);
}

}  // namespace strata::mpix::testing
