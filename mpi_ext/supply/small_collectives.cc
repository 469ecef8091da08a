// SPDX-License-Identifier: LGPL-2.1-only
// Collectives without work. With no elements, which the Intel MPI Benchmarks begin with, some of SMPI's algorithms
// divide by zero. On one rank, as in a program started without mpirun, some abort.
#include <mpi.h>

#include "mpi_ext/supply/behind.h"

namespace {

bool is_alone(MPI_Comm comm) {
  int size = 0, between = 0;
  return comm != MPI_COMM_NULL && STRATA_BEHIND(Comm_size)(comm, &size) == MPI_SUCCESS && size == 1 &&
         PMPI_Comm_test_inter(comm, &between) == MPI_SUCCESS && between == 0;
}

}  // namespace

extern "C" {

// Open MPI and MPICH also return immediately.
int PMPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (count == 0 && comm != MPI_COMM_NULL) return MPI_SUCCESS;
  return STRATA_BEHIND(Allreduce)(sendbuf, recvbuf, count, datatype, op, comm);
}

int PMPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm) {
  if (count == 0 && comm != MPI_COMM_NULL) return MPI_SUCCESS;
  return STRATA_BEHIND(Reduce)(sendbuf, recvbuf, count, datatype, op, root, comm);
}

int PMPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                    const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  if (sendbuf == nullptr || recvbuf == nullptr || recvcounts == nullptr || displs == nullptr || !is_alone(comm))
    return STRATA_BEHIND(Allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
  if (sendbuf == MPI_IN_PLACE) return MPI_SUCCESS;
  MPI_Aint lower = 0, extent = 0;
  const int code = STRATA_BEHIND(Type_get_extent)(recvtype, &lower, &extent);
  if (code != MPI_SUCCESS) return code;
  return STRATA_BEHIND(Sendrecv)(sendbuf, sendcount, sendtype, 0, 0, static_cast<char*>(recvbuf) + displs[0] * extent,
                                 recvcounts[0], recvtype, 0, 0, comm, MPI_STATUS_IGNORE);
}
}
