// SPDX-License-Identifier: LGPL-2.1-only
// Ranks that wait for each other: no barrier completes before its last rank, but data arrives without the application.
#include <mpi.h>

#include <utility>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/guarded_buffers.h"
#include "tests/mpi_ext/nonblocking/started.h"
#include "tests/mpi_ext/nonblocking/study.h"
#include "tests/mpi_ext/nonblocking/tests.h"

namespace strata::mpix::testing {
namespace {

constexpr int kGoTag = 4711;

void tell(MPI_Comm comm, int rank) { MPI_Send(nullptr, 0, MPI_INT, rank, kGoTag, comm); }
void hear(MPI_Comm comm, int rank) { MPI_Recv(nullptr, 0, MPI_INT, rank, kGoTag, comm, MPI_STATUS_IGNORE); }

}  // namespace

void test_barrier(Checks& t, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  for (const int late : {0, size / 2, size - 1}) {
    if (size == 1) break;
    const int watcher = (late + 1) % size;
    if (rank == late) hear(comm, watcher);
    Running running = start_barrier(t, comm);
    for (int looks = 0; rank == watcher && looks < 5; ++looks) {
      int flag = -1;
      CHECK_EQ(MPI_SUCCESS, MPIX_Test(&running.request, &flag));
      CHECK_EQ(0, flag);
      strata::mpix::charge_seconds(2e-5);
    }
    if (rank == watcher) tell(comm, late);
    finish(t, std::move(running));
  }
}

void test_background(Checks& t, const Operations& operations, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  set_shape(t, comm, {"0"});
  for (const int count : {3, kLong}) {
    // The last rank needs the data that the root and inner ranks pass on.
    Running bcast = start_bcast(t, comm, kPair, count, 0, count);
    if (rank < size - 1) hear(comm, size - 1);
    finish(t, std::move(bcast));
    for (int r = 0; rank == size - 1 && r < size - 1; ++r) tell(comm, r);
    // The root needs the combined data of the others.
    Running reduce =
        start_reduction(t, comm, Reduction::kReduce, kPair, operations.affine, count, 0, Place::kSeparate, count);
    if (rank > 0) hear(comm, 0);
    finish(t, std::move(reduce));
    for (int r = 1; rank == 0 && r < size; ++r) tell(comm, r);
  }
}

}  // namespace strata::mpix::testing
