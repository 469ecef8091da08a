// SPDX-License-Identifier: LGPL-2.1-only
// Errors, and error handlers.
#include <mpi.h>

#include <cstdio>
#include <string>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/files/contents.h"
#include "tests/mpi_ext/files/tests.h"

namespace strata::mpix::testing {

namespace {

struct Called {
  static int& times() {
    static int all = 0;
    return all;
  }
  static void handler(MPI_File*, int*, ...) { ++times(); }
};

}  // namespace

void check_errors(Checks& t, MPI_Comm comm, const std::string& path) {
  MPI_File file = MPI_FILE_NULL, none = MPI_FILE_NULL;
  const int both = MPI_MODE_RDONLY | MPI_MODE_RDWR;
  CHECK_EQ(MPI_ERR_AMODE, class_of(MPI_File_open(comm, path.c_str(), both, MPI_INFO_NULL, &none)));
  if (rank_in(comm) == 0) std::remove(path.c_str());
  MPI_Barrier(comm);
  CHECK_EQ(MPI_ERR_NO_SUCH_FILE, class_of(MPI_File_open(comm, path.c_str(), MPI_MODE_RDONLY, MPI_INFO_NULL, &none)));
  file = open_new(t, comm, path);
  int one = 1;
  CHECK_EQ(MPI_SUCCESS, MPI_File_write_at_all(file, 0, &one, 1, MPI_INT, MPI_STATUS_IGNORE));
  close(t, comm, file);
  const int exclusive = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR;
  CHECK_EQ(MPI_ERR_FILE_EXISTS, class_of(MPI_File_open(comm, path.c_str(), exclusive, MPI_INFO_NULL, &none)));
  CHECK_EQ(MPI_SUCCESS, MPI_File_open(comm, path.c_str(), MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  CHECK_TRUE(MPI_File_write_at(file, 0, &one, 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS);
  one = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_File_read_at(file, 0, &one, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_EQ(1, one);
  CHECK_TRUE(MPI_File_seek(file, -1, MPI_SEEK_SET) != MPI_SUCCESS);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_File_create_errhandler(Called::handler, &handler));
  CHECK_EQ(MPI_SUCCESS, MPI_File_set_errhandler(file, handler));
  MPI_Errhandler_free(&handler);
  MPI_Barrier(comm);
  const int before = Called::times();
  MPI_Barrier(comm);
  CHECK_TRUE(MPI_File_seek(file, -1, MPI_SEEK_SET) != MPI_SUCCESS);
  CHECK_TRUE(Called::times() > before);
  CHECK_EQ(MPI_SUCCESS, MPI_File_get_errhandler(file, &handler));
  CHECK_TRUE(handler != MPI_ERRHANDLER_NULL && handler != MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&handler);
  MPI_Barrier(comm);
  close(t, comm, file);
  if (rank_in(comm) == 0) {
    CHECK_EQ(MPI_SUCCESS, MPI_File_delete(path.c_str(), MPI_INFO_NULL));
    CHECK_EQ(MPI_ERR_NO_SUCH_FILE, class_of(MPI_File_delete(path.c_str(), MPI_INFO_NULL)));
  }
  MPI_Barrier(comm);
}

}  // namespace strata::mpix::testing
