// SPDX-License-Identifier: LGPL-2.1-only
// Building blocks of the algorithms: messages on a communicator of the library that returns errors, segments, memory
// for elements of any datatype, local copies, and the combination of two operands.
//
// All throw Unreported on an MPI error, with everything released.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace strata::mpix {

/// Sends and waits until the buffer can be reused. It calls MPI_Isend and MPI_Wait rather than MPI_Send, because SMPI
/// charges the send overhead for every message size only on nonblocking sends.
void send(const void* buffer, int count, MPI_Datatype datatype, int dest, MPI_Comm comm);

void receive(void* buffer, int count, MPI_Datatype datatype, int source, MPI_Comm comm);

/// A send that is posted now and completes at the latest when this object is destroyed.
class Send {
 public:
  Send() = default;
  Send(const Send&) = delete;
  Send& operator=(const Send&) = delete;
  ~Send();
  void post(const void* buffer, int count, MPI_Datatype datatype, int dest, MPI_Comm comm);
  void wait();

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// A receive that is posted now. It is cancelled if it is never waited for.
class Receive {
 public:
  Receive() = default;
  Receive(const Receive&) = delete;
  Receive& operator=(const Receive&) = delete;
  ~Receive();
  void post(void* buffer, int count, MPI_Datatype datatype, int source, MPI_Comm comm);
  void wait();

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Sends to one rank and receives from another at the same time.
void exchange(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, void* recvbuf, int recvcount,
              MPI_Datatype recvtype, int source, MPI_Comm comm);

/// Whether the message is empty. The result is the same on all members: their counts and datatypes may differ, but not
/// their type signatures.
bool is_empty(int count, MPI_Datatype datatype);

/// The address of element `index` of a buffer.
void* element(void* buffer, long index, MPI_Datatype datatype);
const void* element(const void* buffer, long index, MPI_Datatype datatype);

/// A message of `count` elements cut into segments of as many whole elements as fit into `segment_bytes`, at least one;
/// 0 does not cut. `datatype` is not empty, count > 0.
class Segments {
 public:
  Segments(int count, MPI_Datatype datatype, int segment_bytes);
  int number() const { return number_; }
  /// The number of elements in the longest segment.
  int longest() const { return length_; }
  int elements(int segment) const { return segment < number_ - 1 ? length_ : count_ - length_ * (number_ - 1); }
  /// The index of the segment's first element.
  int first(int segment) const { return segment * length_; }

 private:
  int count_, length_, number_;
};

/// Memory for `count` elements with any lower bound and gaps. data() is aligned like memory from new, and its elements
/// as far as the datatype is. If `like`, the elements for which it is used, is payload (adapter/measure.h), this is
/// payload too and has no memory of its own.
class Scratch {
 public:
  Scratch() = default;
  Scratch(long count, MPI_Datatype datatype, const void* like = nullptr);
  void* data() const { return origin_; }

 private:
  std::unique_ptr<std::byte, void (*)(void*)> memory_ = {nullptr, nullptr};
  void* origin_ = nullptr;
};

/// Copies like a message to oneself. Costs no simulated time. Does nothing between payload buffers.
void copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count, MPI_Datatype to_type);

bool commutes(MPI_Op op);

/// inout = in op inout, element by element; charged as charge.h describes. Computes nothing if both are payload.
void combine(const void* in, void* inout, int count, MPI_Datatype datatype, MPI_Op op);

}  // namespace strata::mpix
