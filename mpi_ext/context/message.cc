// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/context/message.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/adapter/watched.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/data_bytes.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

struct Layout {
  MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  int size = 0;
  explicit Layout(MPI_Datatype datatype) {
    call(MPI_Type_get_extent(datatype, &lower, &extent));
    call(MPI_Type_get_true_extent(datatype, &true_lower, &true_extent));
    call(MPI_Type_size(datatype, &size));
  }
  // Whether elements follow each other without gaps.
  bool is_dense() const { return size == extent && size == true_extent; }
};

MPI_Aint extent_of(MPI_Datatype datatype) {
  MPI_Aint lower = 0, extent = 0;
  call(MPI_Type_get_extent(datatype, &lower, &extent));
  return extent;
}

}  // namespace

void send(const void* buffer, int count, MPI_Datatype datatype, int dest, MPI_Comm comm) {
  Send sent;
  sent.post(buffer, count, datatype, dest, comm);
  sent.wait();
}

void receive(void* buffer, int count, MPI_Datatype datatype, int source, MPI_Comm comm) {
  check(MPI_Recv(buffer, count, datatype, source, kTag, comm, MPI_STATUS_IGNORE));
}

Send::~Send() {
  if (request_ != MPI_REQUEST_NULL) MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

void Send::post(const void* buffer, int count, MPI_Datatype datatype, int dest, MPI_Comm comm) {
  const Marked internal(&Marks::internal);
  check(MPI_Isend(buffer, count, datatype, dest, kTag, comm, &request_));
}

void Send::wait() { check(MPI_Wait(&request_, MPI_STATUS_IGNORE)); }

Receive::~Receive() {
  if (request_ == MPI_REQUEST_NULL) return;
  MPI_Cancel(&request_);
  MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

void Receive::post(void* buffer, int count, MPI_Datatype datatype, int source, MPI_Comm comm) {
  check(MPI_Irecv(buffer, count, datatype, source, kTag, comm, &request_));
}

void Receive::wait() { check(MPI_Wait(&request_, MPI_STATUS_IGNORE)); }

void exchange(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, void* recvbuf, int recvcount,
              MPI_Datatype recvtype, int source, MPI_Comm comm) {
  Receive received;
  received.post(recvbuf, recvcount, recvtype, source, comm);
  send(sendbuf, sendcount, sendtype, dest, comm);
  received.wait();
}

bool is_empty(int count, MPI_Datatype datatype) { return count <= 0 || data_bytes(1, datatype) == 0; }

void* element(void* buffer, long index, MPI_Datatype datatype) {
  return static_cast<char*>(buffer) + index * extent_of(datatype);
}

const void* element(const void* buffer, long index, MPI_Datatype datatype) {
  return static_cast<const char*>(buffer) + index * extent_of(datatype);
}

Segments::Segments(int count, MPI_Datatype datatype, int segment_bytes) : count_(count), length_(count) {
  int size = 0;
  call(MPI_Type_size(datatype, &size));
  if (segment_bytes > 0) length_ = std::clamp(segment_bytes / size, 1, count);
  number_ = (count - 1) / length_ + 1;
}

Scratch::Scratch(long count, MPI_Datatype datatype, const void* like) {
  if (count == 0) return;
  const Layout type(datatype);
  // The bytes that the elements occupy, relative to the address of the first: [low, high). Extents may be negative.
  const MPI_Aint last = (count - 1) * type.extent;
  const MPI_Aint low = type.true_lower + std::min<MPI_Aint>(0, last);
  const MPI_Aint high = type.true_lower + type.true_extent + std::max<MPI_Aint>(0, last);
  constexpr MPI_Aint kAlignment = alignof(std::max_align_t);
  const MPI_Aint padding = (low % kAlignment + kAlignment) % kAlignment;
  const auto bytes = static_cast<std::size_t>(high - low + padding);
  const bool payload = is_payload(like);
  memory_ = {static_cast<std::byte*>(payload ? allocate_payload(bytes) : ::operator new(bytes)),
             payload ? free_payload : +[](void* memory) { ::operator delete(memory); }};
  origin_ = memory_.get() + padding - low;
}

void copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count, MPI_Datatype to_type) {
  if (is_empty(from_count, from_type) || (is_payload(from) && is_payload(to))) return;
  const Layout source(from_type), target(to_type);
  if (from_type == to_type && source.is_dense()) {
    std::memcpy(static_cast<char*>(to) + target.true_lower, static_cast<const char*>(from) + source.true_lower,
                static_cast<std::size_t>(from_count) * source.size);
    return;
  }
  if (from == MPI_BOTTOM || to == MPI_BOTTOM) {
    // MPICH cannot pack from MPI_BOTTOM. Under SMPI, where the message would cost time, this does not happen, because
    // SMPI's messages do not support MPI_BOTTOM.
    return exchange(from, from_count, from_type, 0, to, to_count, to_type, 0, SelfContext().comm());
  }
  // Copies through packed pieces of about kPiece. The type signatures match as a whole, and therefore also piece by
  // piece if each piece has the same share of both counts.
  constexpr long kPiece = 1 << 20;  // B: fits into a second-level cache
  const int pieces = std::gcd(from_count, to_count);
  const int from_step = from_count / pieces, to_step = to_count / pieces;
  const int at_once = static_cast<int>(
      std::clamp(kPiece / (static_cast<long>(from_step) * source.size), 1L, static_cast<long>(pieces)));
  int room = 0;
  call(MPI_Pack_size(at_once * from_step, from_type, MPI_COMM_SELF, &room));
  const auto packed = std::make_unique_for_overwrite<std::byte[]>(room);
  for (int piece = 0; piece < pieces; piece += at_once) {
    const int n = std::min(at_once, pieces - piece);
    int in = 0, out = 0;
    call(MPI_Pack(element(from, static_cast<long>(piece) * from_step, from_type), n * from_step, from_type,
                  packed.get(), room, &in, MPI_COMM_SELF));
    call(MPI_Unpack(packed.get(), in, &out, element(to, static_cast<long>(piece) * to_step, to_type), n * to_step,
                    to_type, MPI_COMM_SELF));
  }
}

bool commutes(MPI_Op op) {
  int commutative = 0;
  call(MPI_Op_commutative(op, &commutative));
  return commutative != 0;
}

void combine(const void* in, void* inout, int count, MPI_Datatype datatype, MPI_Op op) {
  charge_combine(data_bytes(count, datatype));
  if (is_payload(in) && is_payload(inout)) return;
  call(MPI_Reduce_local(in, inout, count, datatype, op));
}

}  // namespace strata::mpix
