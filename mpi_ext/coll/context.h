// SPDX-License-Identifier: LGPL-2.1-only
// A context of its own for the library's messages: a copy of the user's communicator, made at the first collective on
// it and cached as an attribute, so that no message of ours meets a receive of the user's. The copy is made with
// MPI_Comm_create, not MPI_Comm_dup, which would run the user's attribute copy functions at a moment that only we know.
#pragma once

#include <mpi.h>

#include <mutex>
#include <utility>

namespace strata::mpix {

/// The tag of all messages on contexts and on the library's own communicators.
inline constexpr int kTag = 1;

/// A communicator with the group of `comm`, without its attributes, topology and info. Collective over `comm`. Throws
/// ReportedByMpi.
MPI_Comm private_copy(MPI_Comm comm);

/// A communicator that is freed with this.
class OwnComm {
 public:
  OwnComm() = default;
  explicit OwnComm(MPI_Comm comm) : comm_(comm) {}
  OwnComm(OwnComm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  OwnComm& operator=(OwnComm&& other) noexcept {
    std::swap(comm_, other.comm_);
    return *this;
  }
  ~OwnComm() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  MPI_Comm get() const { return comm_; }
  /// The caller frees it.
  MPI_Comm release() { return std::exchange(comm_, MPI_COMM_NULL); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Takes `comm`, whose error handler becomes MPI_ERRORS_RETURN.
OwnComm returning_errors(MPI_Comm comm);

/// Gives `to` the error handler of `from`. Local. Throws ReportedByMpi.
void inherit_errhandler(MPI_Comm from, MPI_Comm to);

/// Collective over `comm` at the first call on it, local later. The context returns errors (MPI_ERRORS_RETURN) and is
/// freed with the communicator. Throws ReportedByMpi.
MPI_Comm context_of(MPI_Comm comm);

/// The context of MPI_COMM_SELF, which the threads of a process share: no other thread has it while this lives. Throws
/// ReportedByMpi.
class SelfContext {
 public:
  SelfContext();
  MPI_Comm comm() const { return comm_; }

 private:
  std::unique_lock<std::mutex> lock_;
  MPI_Comm comm_;
};

}  // namespace strata::mpix
