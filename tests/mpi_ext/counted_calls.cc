// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/counted_calls.h"

#include <mpi.h>

#include <array>

namespace strata::mpix::testing {
namespace {

// By rank of MPI_COMM_WORLD, because ranks may share globals under SMPI.
std::array<Calls, 1024> g_calls;

Calls& mine() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return g_calls.at(rank);
}

}  // namespace

const Calls& calls() { return mine(); }
void forget_calls() { mine() = {}; }

}  // namespace strata::mpix::testing

using strata::mpix::testing::mine;

extern "C" {

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  ++mine().allreduce;
  return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm) {
  ++mine().allgather;
  return PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  ++mine().comm_create;
  return PMPI_Comm_create(comm, group, newcomm);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  ++mine().comm_create_group;
  return PMPI_Comm_create_group(comm, group, tag, newcomm);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  ++mine().others;
  return PMPI_Comm_split(comm, color, key, newcomm);
}

int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  ++mine().others;
  return PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  ++mine().others;
  return PMPI_Comm_dup(comm, newcomm);
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  ++mine().others;
  return PMPI_Bcast(buffer, count, datatype, root, comm);
}

int MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm) {
  ++mine().others;
  return PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm) {
  ++mine().others;
  return PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int MPI_Barrier(MPI_Comm comm) {
  ++mine().others;
  return PMPI_Barrier(comm);
}

}  // extern "C"
