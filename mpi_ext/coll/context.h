// A context of its own for the library's messages: a dup of the user's communicator, made at the first collective on it
// and cached as an attribute, so that no message of ours meets a receive of the user's.
#pragma once

#include <mpi.h>

namespace strata::mpix {

/// The tag of all messages on contexts and on the library's own communicators.
inline constexpr int kTag = 1;

/// Collective over `comm` at the first call on it, local later. Returns an MPI error class. The context is freed with
/// the communicator.
int context_of(MPI_Comm comm, MPI_Comm* context);

}  // namespace strata::mpix
