// SPDX-License-Identifier: LGPL-2.1-only
// Neighborhood collectives on Cartesian communicators (MPI 4.0, Section 8.6), over point-to-point messages on the
// library's context: a message to each neighbour and one from each, all at once. At most 2 x dimensions each way.
//
// Neighbour 2i is the source of a shift by 1 along dimension i, neighbour 2i + 1 its destination. What is sent towards
// one end of a dimension arrives from the other: block 2i of a process is block 2i + 1 of its neighbour 2i. Where both
// neighbours are one process (a periodic dimension of 1 or 2) two messages go between the same two processes, which MPI
// matches in the order of their posting: blocks are sent in order, so the block 2i + 1 is received before 2i. No two
// dimensions share a neighbour but the process itself, and its messages to itself are in the same order.
#include <vector>

#include "mpi_ext/cart/cartesian.h"
#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/coll/context.h"
#include "mpi_ext/coll/message.h"
#include "mpi_ext/data_bytes.h"
#include "mpi_ext/error.h"
#include "mpi_ext/monitoring/called.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {
namespace {

// By number; -1 off the mesh.
std::vector<int> neighbours_of(const Mesh& mesh, int position) {
  std::vector<int> neighbours;
  for (int i = 0; i < mesh.num_dims(); ++i) {
    for (int n : shift(mesh, position, i, 1)) neighbours.push_back(n);
  }
  return neighbours;
}

// A part of a buffer, for a neighbour or from one.
template <class Byte>
struct Block {
  Byte* whole;  // what is judged as the buffer
  Byte* buffer;
  int count;
  MPI_Datatype datatype;
};

// Finds errors before anything is sent.
template <class Byte>
void check_block(const Block<Byte>& b) {
  check_message(b.count, b.datatype);
  check_buffer(b.whole, b.count, b.datatype);
}

// That this process has these blocks for its neighbours.
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

// `block_out` and `block_in` give the blocks by the neighbours' numbers; they are asked for where there is a neighbour.
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

// MPI_ERR_ARG where an array that says something of the neighbours is missing. A communicator without dimensions has
// no neighbours and needs none.
template <class... Arrays>
void check_arrays(Arrays... arrays) {
  if (((arrays == nullptr) || ...)) check(MPI_ERR_ARG);
}

// Elements of a buffer from the `first` on. The datatype is judged later: a null one has no extent.
template <class Byte>
Block<Byte> elements(Byte* buffer, int count, long first, MPI_Datatype datatype) {
  const bool somewhere = count > 0 && datatype != MPI_DATATYPE_NULL;
  return {buffer, somewhere ? element(buffer, first, datatype) : buffer, count, datatype};
}

// Elements at so many bytes, which may be an absolute address: from MPI_BOTTOM.
template <class Char, class Byte>
Block<Byte> bytes(Byte* buffer, int count, MPI_Aint at, MPI_Datatype datatype) {
  Byte* there = static_cast<Char*>(buffer) + at;
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
