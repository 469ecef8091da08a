// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/files/contents.h"

#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>

#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {

std::vector<int> ints_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<int> ints(bytes.size() / kInt);
  std::memcpy(ints.data(), bytes.data(), ints.size() * kInt);
  return ints;
}

int bytes_in(const MPI_Status& status) {
  int bytes = -1;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes;
}

MPI_File open_new(Checks& t, MPI_Comm comm, const std::string& path, int more) {
  if (rank_in(comm) == 0) std::remove(path.c_str());
  MPI_Barrier(comm);
  MPI_File file = MPI_FILE_NULL;
  CHECK_EQ(MPI_SUCCESS,
           MPI_File_open(comm, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | more, MPI_INFO_NULL, &file));
  return file;
}

std::vector<int> from(int rank, int count) {
  std::vector<int> ints(count);
  std::iota(ints.begin(), ints.end(), 1000 * rank);
  return ints;
}

std::vector<int> from_all(int size, const std::function<int(int)>& count) {
  std::vector<int> all;
  for (int r = 0; r < size; ++r) {
    const std::vector<int> part = from(r, count(r));
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

void close(Checks& t, MPI_Comm comm, MPI_File& file) {
  CHECK_EQ(MPI_SUCCESS, MPI_File_close(&file));
  CHECK_TRUE(file == MPI_FILE_NULL);
  MPI_Barrier(comm);
}

void check_contents(Checks& t, MPI_Comm comm, MPI_File& file, const std::string& path,
                    const std::vector<int>& expected) {
  close(t, comm, file);
  CHECK_EQ(expected, ints_in(path));
  MPI_Barrier(comm);
}

}  // namespace strata::mpix::testing
