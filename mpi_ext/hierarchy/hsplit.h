// Splitting a communicator along the topology: the MPI layer over the core in split.h, for use inside the library.
#pragma once

#include <mpi.h>

namespace strata::mpix {

struct SplitComms {
  MPI_Comm newcomm = MPI_COMM_NULL;
  MPI_Comm rootscomm = MPI_COMM_NULL;
  int num_comms = 0;        // new communicators, on every member
  bool stragglers = false;  // some members got a new communicator and some did not; the same on every member
};

/// Collective over the intracommunicator `comm`. Members exchange their places (one allgather of 16 bytes a process),
/// each computes the split alone, and MPI_Comm_split makes the communicators: one call, and one more for the roots.
/// Returns an MPI error class; throws InputError where the provider's input is wrong.
int hsplit(MPI_Comm comm, int key, bool with_roots, SplitComms& out);

/// The processes of the caller's node, ordered by `key`. Collective over `comm`.
int split_by_node(MPI_Comm comm, int key, MPI_Comm* newcomm);

}  // namespace strata::mpix
