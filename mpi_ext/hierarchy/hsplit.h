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

/// Splits along the topology, with the communicator of the roots, keyed by the rank in `comm`. Collective over the
/// intracommunicator `comm`. Members exchange their places (one allgather of 32 bytes a process), each computes the
/// split alone, and MPI_Comm_split makes the communicators: one call, and one more for the roots. Returns MPI_ERR_OTHER
/// on every member where some member does not know its place (that one says why on stderr); throws ReportedByMpi.
/// Whatever goes wrong, `out` holds no communicator then.
int hsplit_with_roots(MPI_Comm comm, SplitComms& out);

}  // namespace strata::mpix
