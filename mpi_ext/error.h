// Errors of the library: reported through the communicator's error handler, as MPI's own functions report theirs
// (MPI 4.0, Section 9.3). Exceptions never leave the C interface.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <exception>

namespace strata::mpix {

/// Calls the error handler of `comm` (of MPI_COMM_WORLD where it is null) with `code`, and returns the code.
inline int raise(MPI_Comm comm, int code) {
  if (code != MPI_SUCCESS) MPI_Comm_call_errhandler(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, code);
  return code;
}

/// MPI_SUCCESS where `comm` is an intracommunicator.
inline int check_intracomm(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  int inter = 0;
  MPI_Comm_test_inter(comm, &inter);
  return inter != 0 ? MPI_ERR_COMM : MPI_SUCCESS;
}

/// Runs `body`, which returns an MPI error class; turns an exception into one line on stderr and MPI_ERR_OTHER.
template <class Body>
int guarded(MPI_Comm comm, Body body) {
  try {
    return raise(comm, body());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "strata: %s\n", e.what());
    return raise(comm, MPI_ERR_OTHER);
  }
}

}  // namespace strata::mpix
