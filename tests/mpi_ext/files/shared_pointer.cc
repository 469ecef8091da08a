// SPDX-License-Identifier: LGPL-2.1-only
// The shared pointer, and accesses in the order of ranks.
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/files/contents.h"
#include "tests/mpi_ext/files/tests.h"

namespace strata::mpix::testing {

// Ranks write different amounts in order, read them again in order, and share a pointer.
void check_shared_pointer(Checks& t, MPI_Comm comm, const std::string& path) {
  const int me = rank_in(comm), size = size_of(comm);
  const auto count = [](int rank) { return rank % 3 + 1; };
  const std::vector<int> all = from_all(size, count);
  const auto total = static_cast<int>(all.size());
  MPI_File file = open_new(t, comm, path);
  MPI_Status status;
  CHECK_EQ(MPI_SUCCESS, MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  const std::vector<int> mine = from(me, count(me));
  CHECK_EQ(MPI_SUCCESS, MPI_File_write_ordered(file, mine.data(), count(me), MPI_INT, &status));
  MPI_Offset at = -1;
  MPI_Barrier(comm);
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_position_shared(file, &at));
  CHECK_EQ(total, static_cast<int>(at));
  MPI_Barrier(comm);
  CHECK_EQ(MPI_SUCCESS, MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  std::vector<int> got(mine.size(), -1);
  CHECK_EQ(MPI_SUCCESS, MPI_File_read_ordered(file, got.data(), count(me), MPI_INT, &status));
  CHECK_EQ(mine, got);
  // Without an order, each int is read by one rank.
  CHECK_EQ(MPI_SUCCESS, MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  long sum = 0, sums = 0;
  for (int i = 0; i < count(me); ++i) {
    int one = -1;
    CHECK_EQ(MPI_SUCCESS, MPI_File_read_shared(file, &one, 1, MPI_INT, &status));
    sum += one;
  }
  MPI_Allreduce(&sum, &sums, 1, MPI_LONG, MPI_SUM, comm);
  CHECK_EQ(std::accumulate(all.begin(), all.end(), 0L), sums);
  check_contents(t, comm, file, path, all);

  file = open_new(t, comm, path, MPI_MODE_APPEND);
  const int one = 1000 * me;
  CHECK_EQ(MPI_SUCCESS, MPI_File_write_shared(file, &one, 1, MPI_INT, &status));
  close(t, comm, file);
  std::vector<int> written = ints_in(path);
  std::sort(written.begin(), written.end());
  CHECK_EQ(from_all(size, [](int) { return 1; }), written);
  MPI_Barrier(comm);
}

}  // namespace strata::mpix::testing
