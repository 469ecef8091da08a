// SPDX-License-Identifier: LGPL-2.1-only
// Neighborhood collectives on Cartesian communicators (MPI 4.0, Section 8.6), with point-to-point messages on the
// library's context: a message to and from each neighbour, all at once. At most 2 x dimensions in each direction.
//
// Neighbour 2i is the source of a shift by 1 along dimension i, neighbour 2i + 1 its destination. Data sent towards one
// end of a dimension arrive from the other: block 2i of a process becomes block 2i + 1 of its neighbour 2i. If both
// neighbours are the same process (a periodic dimension of 1 or 2), there are two messages between the same two
// processes, and MPI matches them in the order of posting. Blocks are sent in order, so block 2i + 1 is received before
// block 2i. Different dimensions never share a neighbour, except the process itself, and its messages to itself have
// the same order.
#include <vector>

#include "mpi_ext/cart/cartesian.h"
#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/data_bytes.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

// By number; -1 outside the mesh.
std::vector<int> neighbours_of(const Mesh& mesh, int position) {
  std::vector<int> neighbours;
  for (int i = 0; i < mesh.num_dims(); ++i) {
    for (int n : shift(mesh, position, i, 1)) neighbours.push_back(n);
  }
  return neighbours;
}

// The part of a buffer that is for, or from, one neighbour.
template <class Byte>
struct Block {
  Byte* whole;  // checked as the buffer argument
  Byte* buffer;
  int count;
  MPI_Datatype datatype;
};

// Finds errors before any message is sent.
template <class Byte>
void check_block(const Block<Byte>& b) {
  check_message(b.count, b.datatype);
  check_buffer(b.whole, b.count, b.datatype);
}

// Reports that this process has these blocks for its neighbours.
template <class BlockOut>
void tell_sessions(const std::vector<int>& neighbours, BlockOut block_out, MPI_Comm comm) {
  if (!monitoring::wants_calls()) return;
  std::vector<int> receivers;
  std::vector<std::size_t> sizes;
  for (int n = 0; n < static_cast<int>(neighbours.size()); ++n) {
    if (neighbours[n] < 0) continue;
    const auto b = block_out(n);
    receivers.push_back(neighbours[n]);
    sizes.push_back(data_bytes(b.count, b.datatype));
  }
  monitoring::called(comm, receivers, sizes);
}

// `block_out` and `block_in` return blocks by the neighbour's number. They are called only if this neighbour exists.
template <class BlockOut, class BlockIn>
int exchange_with_neighbours(MPI_Comm comm, BlockOut block_out, BlockIn block_in) {
  return on_intracomm(comm, [&](int) {
    const std::vector<int> neighbours = neighbours_of(grid_of(comm).mesh(), rank_in(comm));
    const int number = static_cast<int>(neighbours.size());
    for (int n = 0; n < number; ++n) {
      if (neighbours[n] < 0) continue;
      check_block(block_out(n));
      check_block(block_in(n));
    }
    tell_sessions(neighbours, block_out, comm);
    const MPI_Comm context = context_of(comm);
    std::vector<Receive> received(number);
    std::vector<Send> sent(number);
    for (int i = 0; i < number; ++i) {
      const int n = i ^ 1;
      if (neighbours[n] < 0) continue;
      const auto b = block_in(n);
      received[n].post(b.buffer, b.count, b.datatype, neighbours[n], context);
    }
    for (int n = 0; n < number; ++n) {
      if (neighbours[n] < 0) continue;
      const auto b = block_out(n);
      sent[n].post(b.buffer, b.count, b.datatype, neighbours[n], context);
    }
    for (Receive& r : received) r.wait();
    for (Send& s : sent) s.wait();
  });
}

// Fails with MPI_ERR_ARG if an array that describes the neighbours is missing. A communicator without dimensions has no
// neighbours, so it needs no arrays.
template <class... Arrays>
void check_arrays(Arrays... arrays) {
  if (((arrays == nullptr) || ...)) check(MPI_ERR_ARG);
}

// Elements of a buffer, beginning with element `first`. The datatype is checked later; a null datatype has no extent.
template <class Byte>
Block<Byte> elements(Byte* buffer, int count, long first, MPI_Datatype datatype) {
  const bool somewhere = count > 0 && datatype != MPI_DATATYPE_NULL;
  return {buffer, somewhere ? element(buffer, first, datatype) : buffer, count, datatype};
}

// Elements at an offset in bytes, which may be an absolute address relative to MPI_BOTTOM. Under SMPI, MPI_BOTTOM is
// not address 0.
template <class Char, class Byte>
Block<Byte> bytes(Byte* buffer, int count, MPI_Aint at, MPI_Datatype datatype) {
  Byte* there = (buffer == MPI_BOTTOM ? nullptr : static_cast<Char*>(buffer)) + at;
  return {buffer == MPI_IN_PLACE ? buffer : there, there, count, datatype};
}

}  // namespace
}  // namespace strata::mpix

extern "C" {

int MPIX_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return exchange_with_neighbours(
      comm, [&](int) { return elements(sendbuf, sendcount, 0, sendtype); },
      [&](int n) { return elements(recvbuf, recvcount, static_cast<long>(n) * recvcount, recvtype); });
}

int MPIX_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return exchange_with_neighbours(
      comm, [&](int) { return elements(sendbuf, sendcount, 0, sendtype); },
      [&](int n) {
        check_arrays(recvcounts, displs);
        return elements(recvbuf, recvcounts[n], displs[n], recvtype);
      });
}

int MPIX_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return exchange_with_neighbours(
      comm, [&](int n) { return elements(sendbuf, sendcount, static_cast<long>(n) * sendcount, sendtype); },
      [&](int n) { return elements(recvbuf, recvcount, static_cast<long>(n) * recvcount, recvtype); });
}

int MPIX_Neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                            MPI_Comm comm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return exchange_with_neighbours(
      comm,
      [&](int n) {
        check_arrays(sendcounts, sdispls, recvcounts, rdispls);
        return elements(sendbuf, sendcounts[n], sdispls[n], sendtype);
      },
      [&](int n) { return elements(recvbuf, recvcounts[n], rdispls[n], recvtype); });
}

int MPIX_Neighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return exchange_with_neighbours(
      comm,
      [&](int n) {
        check_arrays(sendcounts, sdispls, sendtypes, recvcounts, rdispls, recvtypes);
        return bytes<const char>(sendbuf, sendcounts[n], sdispls[n], sendtypes[n]);
      },
      [&](int n) { return bytes<char>(recvbuf, recvcounts[n], rdispls[n], recvtypes[n]); });
}

}  // extern "C"
