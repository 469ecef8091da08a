// SPDX-License-Identifier: LGPL-2.1-only
// One message of a round, and its cost for the cores at its two ends. It is a small state machine that waits for at
// most one MPI_Request at a time, and continues when that is complete.
//
// Under a real MPI it is an MPI_Isend or an MPI_Irecv. SMPI moves bytes without occupying a core, so under SMPI this
// class runs the protocol that an MPI library uses within a node, and charges copies to the cores that do them:
//   - A message shorter than the eager limit (SMPI's option smpi/async-small-thresh): the sender copies it into a
//     buffer before it sends; the receiver copies it out of the buffer after it has arrived.
//   - A longer message, single copy (CMA, XPMEM, threads of one process): the sender sends RTS (ready to send). The
//     receiver then copies while the bytes flow through the links of the machine, and sends FIN when it has finished.
//     Until then the sender's buffer is in use and its send is not complete.
//   - A longer message, double copy (through a shared segment, in pieces): the receiver answers CTS (clear to send),
//     both copy at the same time while the bytes flow, and the sender sends FIN after its last piece.
// The property `copies` of the sender's host selects between them ("1", the default, or "2"). On a machine with figures
// of its memory, a longer message keeps the cores that copy it busy while it flows, so its copies are not charged
// separately. Between nodes the network card moves long messages (RDMA), and no core copies them. Hosts with the same
// property `node` are on one node; a host without it is a node of its own.
#pragma once

#include <mpi.h>

#include <memory>

namespace strata::mpix {

/// A communicator for messages between threads of one kind, and its tags. It returns errors (MPI_ERRORS_RETURN).
class Lane {
 public:
  /// Local. Throws ReportedByMpi.
  explicit Lane(MPI_Comm comm);
  MPI_Comm comm() const { return comm_; }
  /// Messages have tags from 0 to tags() - 1. tags() is a power of two and at least 2^14 (MPI 4.0, Section 9.1.2:
  /// MPI_TAG_UB is no less than 32767).
  int tags() const { return tags_; }
  /// A tag of at least tags(), one of four; messages that are under way at once have different ones. The sender
  /// sends it to the receiver.
  int next_own_tag();

 private:
  MPI_Comm comm_;
  int tags_;
  int next_ = 0;
};

class Message {
 public:
  enum class Way { kSend, kReceive };
  struct Envelope {
    void* buffer;  // a send only reads it
    int count;
    MPI_Datatype datatype;
    int peer;  // rank in the lane's communicator
    int tag;
  };

  /// Starts the message. Messages between two ranks with the same tag are matched in the order in which they are
  /// started. Throws Unreported.
  Message(Way way, const Envelope& envelope, Lane& lane);
  /// Abandons a message that is under way.
  ~Message();
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  bool done() const;
  /// The request that must complete before advance() may be called; only while the message is not done.
  MPI_Request pending() const;
  /// Call this when MPI has completed (and freed) pending(), with its error. Does the copies that are due, and sends
  /// the next step of the protocol. Throws Unreported, also for that error.
  void advance(int error);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strata::mpix
