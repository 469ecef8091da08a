// SPDX-License-Identifier: LGPL-2.1-only
// The parts of the algorithms: messages on a communicator of the library's that returns errors, segments, memory
// for elements of any datatype, local copies, and the combination of two operands.
//
// All throw Unreported on an error of MPI's; nothing is left behind then.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace strata::mpix {

/// Sends and waits until the buffer may be used again. An MPI_Isend with its MPI_Wait rather than an MPI_Send: under
/// SMPI only nonblocking sends are charged the send overhead for every message size.
void send(const void* buffer, int count, MPI_Datatype datatype, int dest, MPI_Comm comm);

void receive(void* buffer, int count, MPI_Datatype datatype, int source, MPI_Comm comm);

/// The same, posted now and waited for later: at the latest when this goes.
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

/// A receive that is posted now and waited for later; cancelled where it never is.
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

/// Whether nothing is sent. The same on all members: their counts and datatypes may differ, their type signatures not.
bool is_empty(int count, MPI_Datatype datatype);

/// Element `index` of a buffer.
void* element(void* buffer, long index, MPI_Datatype datatype);
const void* element(const void* buffer, long index, MPI_Datatype datatype);

/// A message of `count` elements cut into segments of as many whole elements as fit into `segment_bytes`, at least one;
/// 0 does not cut. `datatype` is not empty, count > 0.
class Segments {
 public:
  Segments(int count, MPI_Datatype datatype, int segment_bytes);
  int number() const { return number_; }
  /// Elements of the longest segment.
  int longest() const { return length_; }
  int elements(int segment) const { return segment < number_ - 1 ? length_ : count_ - length_ * (number_ - 1); }
  /// The index of its first element.
  int first(int segment) const { return segment * length_; }

 private:
  int count_, length_, number_;
};

/// Memory for `count` elements with any lower bound and gaps. data() is aligned as new's memory is: so are its
/// elements, as far as the datatype is.
/// Where `like`, the elements that it is for, is payload (adapter/measure.h), so is this: no memory of its own.
class Scratch {
 public:
  Scratch() = default;
  Scratch(long count, MPI_Datatype datatype, const void* like = nullptr);
  void* data() const { return origin_; }

 private:
  std::unique_ptr<std::byte, void (*)(void*)> memory_ = {nullptr, nullptr};
  void* origin_ = nullptr;
};

/// Has the effect of a message to oneself; costs no simulated time. Nothing is moved between payload.
void copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count, MPI_Datatype to_type);

bool commutes(MPI_Op op);

/// inout = in op inout, element by element; charged as charge.h says. Nothing is computed where both are payload.
void combine(const void* in, void* inout, int count, MPI_Datatype datatype, MPI_Op op);

}  // namespace strata::mpix
