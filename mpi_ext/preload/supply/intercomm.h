// SPDX-License-Identifier: LGPL-2.1-only
// The table of intercommunicators, which SMPI lacks (intercomm.cc).
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/context/context.h"

namespace strata::mpix {

struct Intercomm {
  std::vector<long> local, remote;  // actors by rank
  OwnComm local_comm;               // of the local group, for our messages
};

/// Null if `comm` is an intracommunicator. Local, and fast if the program has no intercommunicator.
const Intercomm* intercomm_of(MPI_Comm comm);

/// Ends the program if `comm` is an intercommunicator, as SMPI does for functions that it lacks.
void need_intracomm(MPI_Comm comm, const char* function);

/// Call this when SMPI frees the communicator, or makes one at the same address.
void forget_intercomm(MPI_Comm comm);

/// A communicator of `group` with the given id, on which no messages are sent. Takes a reference to the group. Returns
/// MPI's error.
int make_with_id(MPI_Group group, int id, MPI_Comm* made);

/// An id that no communicator uses.
int next_comm_id();

}  // namespace strata::mpix
