// SPDX-License-Identifier: LGPL-2.1-only
// Reductions of no elements, with which the Intel MPI Benchmarks begin. Some algorithms of SMPI's divide by the number
// of elements; Open MPI and MPICH return at once, and so do these.
#include <mpi.h>

#include "mpi_ext/supply/behind.h"

extern "C" {

int PMPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (count == 0 && comm != MPI_COMM_NULL) return MPI_SUCCESS;
  return STRATA_BEHIND(Allreduce)(sendbuf, recvbuf, count, datatype, op, comm);
}

int PMPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm) {
  if (count == 0 && comm != MPI_COMM_NULL) return MPI_SUCCESS;
  return STRATA_BEHIND(Reduce)(sendbuf, recvbuf, count, datatype, op, root, comm);
}
}
