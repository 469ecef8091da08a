// SPDX-License-Identifier: LGPL-2.1-only
// Reading and writing at offsets and individual pointers, in all ways.
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/files/contents.h"
#include "tests/mpi_ext/files/tests.h"

namespace strata::mpix::testing {

// Every rank writes three ints at its place, in each way to write at an offset or a pointer, and reads its neighbour's.
void check_places(Checks& t, MPI_Comm comm, const std::string& path) {
  const int me = rank_in(comm), size = size_of(comm), next = (me + 1) % size;
  const std::vector<int> mine = from(me, 3), theirs = from(next, 3);
  const auto all = from_all(size, [](int) { return 3; });
  const MPI_Offset here = 3L * me * kInt, there = 3L * next * kInt;
  MPI_Status status;
  MPI_Request request = MPI_REQUEST_NULL;
  const std::vector<std::function<int(MPI_File)>> writes = {
      [&](MPI_File f) { return MPI_File_write_at(f, here, mine.data(), 3, MPI_INT, &status); },
      [&](MPI_File f) { return MPI_File_write_at_all(f, here, mine.data(), 3, MPI_INT, &status); },
      [&](MPI_File f) {
        MPI_File_seek(f, here, MPI_SEEK_SET);
        return MPI_File_write(f, mine.data(), 3, MPI_INT, &status);
      },
      [&](MPI_File f) {
        MPI_File_seek(f, here, MPI_SEEK_SET);
        return MPI_File_write_all(f, mine.data(), 3, MPI_INT, &status);
      },
      [&](MPI_File f) { return MPI_File_write_ordered(f, mine.data(), 3, MPI_INT, &status); },
      [&](MPI_File f) {
        const int code = MPI_File_write_at_all_begin(f, here, mine.data(), 3, MPI_INT);
        return code + MPI_File_write_at_all_end(f, mine.data(), &status);
      },
      [&](MPI_File f) {
        MPI_File_seek(f, here, MPI_SEEK_SET);
        const int code = MPI_File_write_all_begin(f, mine.data(), 3, MPI_INT);
        return code + MPI_File_write_all_end(f, mine.data(), &status);
      },
      [&](MPI_File f) {
        const int code = MPI_File_write_ordered_begin(f, mine.data(), 3, MPI_INT);
        return code + MPI_File_write_ordered_end(f, mine.data(), &status);
      },
      [&](MPI_File f) {
        const int code = MPI_File_iwrite_at(f, here, mine.data(), 3, MPI_INT, &request);
        return code + MPI_Wait(&request, &status);
      },
      [&](MPI_File f) {
        const int code = MPI_File_iwrite_at_all(f, here, mine.data(), 3, MPI_INT, &request);
        return code + MPI_Waitall(1, &request, &status);
      },
      [&](MPI_File f) {
        MPI_File_seek(f, here, MPI_SEEK_SET);
        int code = MPI_File_iwrite(f, mine.data(), 3, MPI_INT, &request), done = 0;
        while (done == 0) code += MPI_Test(&request, &done, &status);
        return code;
      },
      [&](MPI_File f) {
        MPI_File_seek(f, here, MPI_SEEK_SET);
        int index = -1;
        const int code = MPI_File_iwrite_all(f, mine.data(), 3, MPI_INT, &request);
        return code + MPI_Waitany(1, &request, &index, &status);
      },
  };
  std::vector<int> got(3);
  const std::vector<std::function<int(MPI_File)>> reads = {
      [&](MPI_File f) { return MPI_File_read_at(f, there, got.data(), 3, MPI_INT, &status); },
      [&](MPI_File f) { return MPI_File_read_at_all(f, there, got.data(), 3, MPI_INT, &status); },
      [&](MPI_File f) {
        MPI_File_seek(f, there, MPI_SEEK_SET);
        return MPI_File_read(f, got.data(), 3, MPI_INT, &status);
      },
      [&](MPI_File f) {
        MPI_File_seek(f, there, MPI_SEEK_SET);
        return MPI_File_read_all(f, got.data(), 3, MPI_INT, &status);
      },
      [&](MPI_File f) {
        const int code = MPI_File_iread_at(f, there, got.data(), 3, MPI_INT, &request);
        return code + MPI_Wait(&request, &status);
      },
      [&](MPI_File f) {
        const int code = MPI_File_read_at_all_begin(f, there, got.data(), 3, MPI_INT);
        return code + MPI_File_read_at_all_end(f, got.data(), &status);
      },
  };
  for (std::size_t way = 0; way < writes.size(); ++way) {
    MPI_File file = open_new(t, comm, path);
    CHECK_EQ(MPI_SUCCESS, writes[way](file));
    CHECK_EQ(3 * kInt, bytes_in(status));
    CHECK_TRUE(request == MPI_REQUEST_NULL);
    MPI_File_sync(file);
    MPI_Barrier(comm);
    MPI_File_sync(file);
    std::fill(got.begin(), got.end(), -1);
    CHECK_EQ(MPI_SUCCESS, reads[way % reads.size()](file));
    CHECK_EQ(3 * kInt, bytes_in(status));
    CHECK_EQ(theirs, got);
    check_contents(t, comm, file, path, all);
  }
}

}  // namespace strata::mpix::testing
