// SPDX-License-Identifier: LGPL-2.1-only
// A communication context for the library's messages: a copy of the user's communicator, so that the library's messages
// never match the user's receives. It is made at the first collective on the communicator and cached as an attribute.
// MPI_Comm_create makes it, because MPI_Comm_dup would run the user's attribute copy functions at a moment that the
// user does not expect.
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

/// Frees its communicator when it is destroyed.
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
  /// Transfers the communicator to the caller, which must free it.
  MPI_Comm release() { return std::exchange(comm_, MPI_COMM_NULL); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Takes ownership of `comm` and sets its error handler to MPI_ERRORS_RETURN.
OwnComm returning_errors(MPI_Comm comm);

/// Gives `to` the error handler of `from`. Local. Throws ReportedByMpi.
void inherit_errhandler(MPI_Comm from, MPI_Comm to);

/// The context of `comm`. Collective over `comm` at the first call on it, local later. The context returns errors
/// (MPI_ERRORS_RETURN) and is freed with the communicator. Throws ReportedByMpi.
MPI_Comm context_of(MPI_Comm comm);

/// Exclusive access to the context of MPI_COMM_SELF, which the threads of a process share. Throws ReportedByMpi.
class SelfContext {
 public:
  SelfContext();
  MPI_Comm comm() const { return comm_; }

 private:
  std::unique_lock<std::mutex> lock_;
  MPI_Comm comm_;
};

}  // namespace strata::mpix
