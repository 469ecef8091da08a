// SPDX-License-Identifier: LGPL-2.1-only
// Neighborhood collectives (MPI 4.0, Sections 8.6 and 8.7) on meshes and graphs, which SMPI lacks: a message to and
// from each neighbour, all at once. The messages are the parts of one of SMPI's nonblocking collectives, so that
// MPI_Wait, MPI_Test and similar functions can handle the request. The blocking versions wait for it.
//
// If two processes are neighbours several times, their messages are matched in the order of posting: blocks are sent in
// order, and received in the order in which they arrive (Neighborhood::arrivals).
#include <mpi.h>

#include <type_traits>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/stored_topology.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Request;

// Between the tags of SMPI's collectives, from -4445 up, and of its one-sided operations, from -6661 down
// (src/smpi/include/private.hpp).
constexpr int kTag = -5555;

// The part of a buffer that is for, or from, one neighbour.
template <class Byte>
struct Block {
  Byte* buffer;
  int count;
  MPI_Datatype datatype;
};

template <class Byte>
void check_block(const Block<Byte>& b) {
  if (b.count < 0) check(MPI_ERR_COUNT);
  if (b.datatype == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
  if (b.buffer == MPI_IN_PLACE) check(MPI_ERR_BUFFER);
}

// Fails with MPI_ERR_ARG if an array that describes the neighbours is missing.
template <class... Arrays>
void check_arrays(Arrays... arrays) {
  if (((arrays == nullptr) || ...)) check(MPI_ERR_ARG);
}

// Elements of a buffer, beginning with element `first`. The datatype is checked later; a null datatype has no extent.
template <class Byte>
Block<Byte> elements(Byte* buffer, int count, long first, MPI_Datatype datatype) {
  MPI_Aint lower = 0, extent = 0;
  if (count > 0 && datatype != MPI_DATATYPE_NULL && buffer != MPI_IN_PLACE && buffer != MPI_BOTTOM)
    check(STRATA_BEHIND(Type_get_extent)(datatype, &lower, &extent));
  using Char = std::conditional_t<std::is_const_v<Byte>, const char, char>;
  return {extent == 0 ? buffer : static_cast<Char*>(buffer) + first * extent, count, datatype};
}

// Elements at an offset in bytes, which may be an absolute address relative to MPI_BOTTOM. Under SMPI, MPI_BOTTOM is
// not address 0.
template <class Byte>
Block<Byte> bytes(Byte* buffer, int count, MPI_Aint at, MPI_Datatype datatype) {
  using Char = std::conditional_t<std::is_const_v<Byte>, const char, char>;
  if (buffer == MPI_IN_PLACE) return {buffer, count, datatype};
  Char* const from = buffer == MPI_BOTTOM ? nullptr : static_cast<Char*>(buffer);
  return {from + at, count, datatype};
}

// `block_out` and `block_in` return blocks by the neighbour's number. They are called only if this neighbour exists.
template <class BlockOut, class BlockIn>
int start(MPI_Comm comm, MPI_Request* request, BlockOut block_out, BlockIn block_in) {
  return guarded(comm, [&] {
    check(check_intracomm(comm));
    if (request == nullptr) check(MPI_ERR_ARG);
    const Neighborhood n = neighborhood_of(comm);
    for (std::size_t i = 0; i < n.in.size(); ++i) {
      if (n.in[i] != MPI_PROC_NULL) check_block(block_in(static_cast<int>(i)));
    }
    for (std::size_t i = 0; i < n.out.size(); ++i) {
      if (n.out[i] != MPI_PROC_NULL) check_block(block_out(static_cast<int>(i)));
    }
    check(STRATA_BEHIND(Ibarrier)(MPI_COMM_SELF, request));  // a collective without parts
    std::vector<Request*> parts;
    for (int i : n.arrivals) {
      const int source = n.in[i];
      if (source == MPI_PROC_NULL) continue;
      const auto b = block_in(i);
      parts.push_back(Request::irecv_init(b.buffer, b.count, b.datatype, source, kTag, comm));
    }
    for (std::size_t i = 0; i < n.out.size(); ++i) {
      if (n.out[i] == MPI_PROC_NULL) continue;
      const auto b = block_out(static_cast<int>(i));
      parts.push_back(Request::isend_init(b.buffer, b.count, b.datatype, n.out[i], kTag, comm));
    }
    (*request)->start_nbc_requests(parts);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int start_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return start(
      comm, request, [&](int) { return elements(sendbuf, sendcount, 0, sendtype); },
      [&](int n) { return elements(recvbuf, recvcount, static_cast<long>(n) * recvcount, recvtype); });
}

int start_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                     const int* displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return start(
      comm, request, [&](int) { return elements(sendbuf, sendcount, 0, sendtype); },
      [&](int n) {
        check_arrays(recvcounts, displs);
        return elements(recvbuf, recvcounts[n], displs[n], recvtype);
      });
}

int start_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return start(
      comm, request, [&](int n) { return elements(sendbuf, sendcount, static_cast<long>(n) * sendcount, sendtype); },
      [&](int n) { return elements(recvbuf, recvcount, static_cast<long>(n) * recvcount, recvtype); });
}

int start_alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls, MPI_Datatype sendtype,
                    void* recvbuf, const int* recvcounts, const int* rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                    MPI_Request* request) {
  return start(
      comm, request,
      [&](int n) {
        check_arrays(sendcounts, sdispls);
        return elements(sendbuf, sendcounts[n], sdispls[n], sendtype);
      },
      [&](int n) {
        check_arrays(recvcounts, rdispls);
        return elements(recvbuf, recvcounts[n], rdispls[n], recvtype);
      });
}

int start_alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls, const MPI_Datatype* sendtypes,
                    void* recvbuf, const int* recvcounts, const MPI_Aint* rdispls, const MPI_Datatype* recvtypes,
                    MPI_Comm comm, MPI_Request* request) {
  return start(
      comm, request,
      [&](int n) {
        check_arrays(sendcounts, sdispls, sendtypes);
        return bytes(sendbuf, sendcounts[n], sdispls[n], sendtypes[n]);
      },
      [&](int n) {
        check_arrays(recvcounts, rdispls, recvtypes);
        return bytes(recvbuf, recvcounts[n], rdispls[n], recvtypes[n]);
      });
}

// Waits for a started request. Errors at the start have already been reported.
int waited(int code, MPI_Request* request) {
  return code == MPI_SUCCESS ? STRATA_BEHIND(Wait)(request, MPI_STATUS_IGNORE) : code;
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_Ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return start_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}

int PMPI_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  return waited(start_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &request), &request);
}

int PMPI_Ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                              const int* recvcounts, const int* displs, MPI_Datatype recvtype, MPI_Comm comm,
                              MPI_Request* request) {
  return start_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
}

int PMPI_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int* recvcounts, const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  return waited(start_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, &request),
                &request);
}

int PMPI_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return start_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}

int PMPI_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  return waited(start_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &request), &request);
}

int PMPI_Ineighbor_alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls, MPI_Datatype sendtype,
                             void* recvbuf, const int* recvcounts, const int* rdispls, MPI_Datatype recvtype,
                             MPI_Comm comm, MPI_Request* request) {
  return start_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
}

int PMPI_Neighbor_alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls, MPI_Datatype sendtype,
                            void* recvbuf, const int* recvcounts, const int* rdispls, MPI_Datatype recvtype,
                            MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  return waited(
      start_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, &request),
      &request);
}

int PMPI_Ineighbor_alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls,
                             const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                             const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm,
                             MPI_Request* request) {
  return start_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                         request);
}

int PMPI_Neighbor_alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls,
                            const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                            const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  return waited(
      start_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, &request),
      &request);
}
}
