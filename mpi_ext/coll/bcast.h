// Broadcast algorithms over point-to-point messages, for use inside the library. All are collective over `comm`, a
// communicator on which nobody else sends with kTag, and return an MPI error class. Arguments are valid.
#pragma once

#include <mpi.h>

namespace strata::mpix {

int bcast_linear(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int bcast_binomial(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

/// The algorithm that MPIX_ALGORITHM_* names; MPI_ERR_ARG where there is none.
int bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int algorithm);

/// Whether nothing is sent. The same on all members: their counts and datatypes may differ, their type signatures not.
bool is_empty(int count, MPI_Datatype datatype);

/// The error class of MPI_Bcast's arguments.
int check_bcast(void* buffer, int count, MPI_Datatype datatype, int root, int size, int algorithm);

/// Sends and waits until the buffer may be used again. An MPI_Isend with its MPI_Wait rather than an MPI_Send: under
/// SMPI only nonblocking sends are charged the send overhead whatever the message's size.
inline int send(const void* buffer, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  MPI_Request request;
  const int error = MPI_Isend(buffer, count, datatype, dest, tag, comm, &request);
  return error != MPI_SUCCESS ? error : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace strata::mpix
