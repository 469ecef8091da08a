// SPDX-License-Identifier: LGPL-2.1-only
// One message of a round, with what it costs the cores at its two ends: a small state machine that has at most one
// MPI_Request to wait for, and goes on when that is complete.
//
// Under a real MPI it is an MPI_Isend or an MPI_Irecv. Under SMPI, which moves bytes without occupying a core, the
// protocol that an MPI library runs within a node is run here, and copies are charged to the cores that do them:
//   - A message shorter than the eager limit (SMPI's option smpi/async-small-thresh): the sender copies it into a
//     buffer before it sends, the receiver out of it when it has arrived.
//   - Longer ones, single copy (CMA, XPMEM, threads of one process): the sender says that it is ready (RTS); the
//     receiver then copies, while the bytes flow through the links of the machine, and says when it has (FIN): until
//     then the sender's buffer is in use and its send not complete.
//   - Longer ones, double copy (through a shared segment, in pieces): the receiver answers (CTS), both copy at the same
//     time while the bytes flow, and the sender says when its last piece is there (FIN).
// On a machine with figures of its memory a longer message keeps the cores that copy it busy while it flows, so that
// its copies are not charged again. Which, the property `copies` of the sender's host says ("1", where it is missing,
// or "2"). Between nodes the network card moves long messages (RDMA), and no core copies them. Hosts are on one node
// where their property `node` is the same; without it each host is one.
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
  /// Messages have tags from 0 to below this, a power of two of at least 2^14 (MPI 4.0, Section 9.1.2: MPI_TAG_UB is no
  /// less than 32767).
  int tags() const { return tags_; }
  /// A tag from tags() on, one of four, different for each message that is under way: for the sender to tell the
  /// receiver.
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
    void* buffer;  // only read by a send
    int count;
    MPI_Datatype datatype;
    int peer;  // rank in the lane's communicator
    int tag;
  };

  /// Starts it. Between two ranks with one tag messages are matched in the order in which they are started. Throws
  /// Unreported.
  Message(Way way, const Envelope& envelope, Lane& lane);
  /// Gives up what is under way.
  ~Message();
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  bool done() const;
  /// What has to be complete before advance() may be called, while it is not done.
  MPI_Request pending() const;
  /// To be called when pending() has been completed (and freed) by MPI, with its error: does the copying that is due,
  /// and sends what comes next. Throws Unreported, that error too.
  void advance(int error);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strata::mpix
