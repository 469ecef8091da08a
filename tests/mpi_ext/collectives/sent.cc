// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/collectives/sent.h"

#include <mpi.h>

#include <array>
#include <vector>

namespace strata::mpix::testing {
namespace {

// The messages of each rank of MPI_COMM_WORLD, in order. By rank, because ranks may share globals.
std::array<std::vector<Sent>, 64> g_sent;

}  // namespace

std::vector<Sent>& my_sent() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return g_sent[rank];
}

Traffic traffic_of(MPI_Comm comm) {
  std::array<long, 2> mine{static_cast<long>(my_sent().size()), 0}, all{};
  for (const Sent& s : my_sent()) mine[1] += s.bytes;
  MPI_Allreduce(mine.data(), all.data(), 2, MPI_LONG, MPI_SUM, comm);
  return {all[0], all[1]};
}

}  // namespace strata::mpix::testing

// Called through the profiling interface for all messages of the library.
extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  int size = 0;
  PMPI_Type_size(datatype, &size);
  strata::mpix::testing::my_sent().push_back({dest, static_cast<long>(count) * size});
  return PMPI_Isend(buffer, count, datatype, dest, tag, comm, request);
}
