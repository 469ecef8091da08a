// SPDX-License-Identifier: LGPL-2.1-only
// A message of the user in addition to the library's.
#pragma once

#include <mpi.h>

#include "mpi_ext/context/context.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {

// A message of the user from each rank to its right neighbour while collectives run. Either a receive from any source
// or a message with the library's tag waits during that time. It must not match any message or receive of the library.
class UsersMessage {
 public:
  enum class First { kReceive, kSend };
  UsersMessage(MPI_Comm comm, First first) : comm_(comm), first_(first), word_(1000 + rank_in(comm)) {
    if (first == First::kReceive) {
      MPI_Irecv(&anything_, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &receive_);
    } else {
      send();
    }
  }
  UsersMessage(const UsersMessage&) = delete;
  UsersMessage& operator=(const UsersMessage&) = delete;

  void arrives(Checks& t) {
    const int left = (rank_in(comm_) + size_of(comm_) - 1) % size_of(comm_);
    if (first_ == First::kReceive) {
      send();
    } else {
      MPI_Irecv(&anything_, 1, MPI_INT, left, kTag, comm_, &receive_);
    }
    MPI_Wait(&receive_, MPI_STATUS_IGNORE);
    MPI_Wait(&send_, MPI_STATUS_IGNORE);
    CHECK_EQ(1000 + left, anything_);
  }

 private:
  void send() { MPI_Isend(&word_, 1, MPI_INT, (rank_in(comm_) + 1) % size_of(comm_), kTag, comm_, &send_); }

  MPI_Comm comm_;
  First first_;
  int word_, anything_ = -1;
  MPI_Request send_ = MPI_REQUEST_NULL, receive_ = MPI_REQUEST_NULL;
};

}  // namespace strata::mpix::testing
