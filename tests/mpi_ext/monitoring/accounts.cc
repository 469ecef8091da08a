// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/monitoring/accounts.h"

#include <mpi.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {
namespace {

Account data_of(Checks& t, MPI_M_msid id, int flags) {
  int size = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_M_get_info(id, MPI_M_INT_IGNORE, &size));
  Account a(size);
  CHECK_EQ(MPI_SUCCESS, MPI_M_get_data(id, a.counts.data(), a.sizes.data(), flags));
  return a;
}

}  // namespace

void expect_data(Checks& t, const Account& expected, MPI_M_msid id, int flags) {
  const Account got = data_of(t, id, flags);
  CHECK_EQ(expected.counts, got.counts);
  CHECK_EQ(expected.sizes, got.sizes);
}

MPI_M_msid started(Checks& t, MPI_Comm comm) {
  MPI_M_msid id = MPI_M_MSID_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_M_start(comm, &id));
  CHECK_TRUE(id > 0);
  return id;
}

void suspend(Checks& t, MPI_M_msid id) { CHECK_EQ(MPI_SUCCESS, MPI_M_suspend(id)); }
void resume(Checks& t, MPI_M_msid id) { CHECK_EQ(MPI_SUCCESS, MPI_M_continue(id)); }
void free_session(Checks& t, MPI_M_msid id) { CHECK_EQ(MPI_SUCCESS, MPI_M_free(id)); }

void ring(MPI_Comm comm, int distance, int ints, int tag) {
  const int rank = rank_in(comm), size = size_of(comm);
  std::vector<int> out(ints), in(1000);  // received messages may be longer than sent ones
  MPI_Request request;
  MPI_Irecv(in.data(), static_cast<int>(in.size()), MPI_INT, (rank - distance % size + size) % size, tag, comm,
            &request);
  MPI_Send(out.data(), ints, MPI_INT, (rank + distance) % size, tag, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int of_one(const Env& e, int who, int one) { return e.rank == who ? one : MPI_M_OTHER_PROCESS; }

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace strata::mpix::testing
