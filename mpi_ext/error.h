// Errors of the library: reported through the communicator's error handler, as MPI's own functions report theirs
// (MPI 4.0, Section 9.3), and once. Exceptions never leave the C interface.
//
// An MPI function that fails on a communicator of the user's, or on one that inherited its error handler, has called
// that handler itself: such calls go through `call`. What the library finds itself, and what fails on a communicator
// whose handler is MPI_ERRORS_RETURN, is returned as a code, and `guarded` calls the handler.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <exception>

namespace strata::mpix {

/// An error of an MPI function that has called the error handler.
struct ReportedByMpi {
  int code;
};

/// Throws ReportedByMpi where `code` is an error. For MPI functions that call the user's error handler themselves.
inline void call(int code) {
  if (code != MPI_SUCCESS) throw ReportedByMpi{code};
}

/// Calls the error handler of `comm` (of MPI_COMM_WORLD where it is null) with `code`, and returns the code.
inline int raise(MPI_Comm comm, int code) {
  if (code != MPI_SUCCESS) MPI_Comm_call_errhandler(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, code);
  return code;
}

/// MPI_SUCCESS where `comm` is an intracommunicator.
inline int check_intracomm(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  int inter = 0;
  call(MPI_Comm_test_inter(comm, &inter));
  return inter != 0 ? MPI_ERR_COMM : MPI_SUCCESS;
}

/// Runs `body`, which returns an MPI error code that nobody has reported, and reports it; turns an exception into one
/// line on stderr and MPI_ERR_OTHER.
template <class Body>
int guarded(MPI_Comm comm, Body body) {
  int code = MPI_SUCCESS;
  try {
    code = body();
  } catch (const ReportedByMpi& e) {
    return e.code;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "strata: %s\n", e.what());
    code = MPI_ERR_OTHER;
  }
  return raise(comm, code);
}

}  // namespace strata::mpix
