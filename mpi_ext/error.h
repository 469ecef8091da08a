// SPDX-License-Identifier: LGPL-2.1-only
// Errors of the library: reported through the communicator's error handler, as MPI's own functions report theirs
// (MPI 4.0, Section 9.3), and once. Exceptions never leave the C interface.
//
// An MPI function that fails on a communicator of the user's, or on one that inherited its error handler, has called
// that handler itself: such calls go through `call`. An error that the library finds itself, or of a call on a
// communicator whose handler is MPI_ERRORS_RETURN, is returned as a code or goes through `check`, and `guarded` calls
// the handler.
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

/// An error that has not been reported yet.
struct Unreported {
  int code;
};

/// Throws Unreported where `code` is an error. For MPI functions on a communicator whose handler is MPI_ERRORS_RETURN,
/// and for errors that the library finds itself.
inline void check(int code) {
  if (code != MPI_SUCCESS) throw Unreported{code};
}

/// Ends the program, with a line on stderr that tells the error and `why` it is the end.
inline void abort_with(MPI_Comm comm, int code, const char* why) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::fprintf(stderr, "strata: %s; %s\n", text, why);
  MPI_Abort(comm, code);
}

/// Calls the error handler of `comm` (of MPI_COMM_WORLD where it is null) with `code`, and returns the code.
inline int raise(MPI_Comm comm, int code) {
  if (code == MPI_SUCCESS) return code;
  if (comm == MPI_COMM_NULL) comm = MPI_COMM_WORLD;
  // SMPI 3.32 gives a null handle where the handler is the default, and calls through a null pointer where it is one of
  // MPI's own.
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(comm, &handler);
  const bool fatal = handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRHANDLER_NULL;
  const bool returns = handler == MPI_ERRORS_RETURN;
  if (!returns && !fatal) {
    MPI_Comm_call_errhandler(comm, code);
  } else if (fatal) {
    abort_with(comm, code, "the error handler is MPI_ERRORS_ARE_FATAL");
  }
  if (handler != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&handler);
  return code;
}

/// MPI_SUCCESS where `comm` is an intracommunicator.
inline int check_intracomm(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  int inter = 0;
  call(MPI_Comm_test_inter(comm, &inter));
  return inter != 0 ? MPI_ERR_COMM : MPI_SUCCESS;
}

/// The code of the exception that is being handled: one line on stderr and MPI_ERR_OTHER where it is none of MPI's.
inline int caught_error() {
  try {
    throw;
  } catch (const ReportedByMpi& e) {
    return e.code;
  } catch (const Unreported& e) {
    return e.code;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "strata: %s\n", e.what());
    return MPI_ERR_OTHER;
  }
}

/// Runs `body`, which returns or throws an MPI error code that has not been reported, and reports it; turns any other
/// exception into one line on stderr and MPI_ERR_OTHER.
template <class Body>
int guarded(MPI_Comm comm, Body body) {
  int code = MPI_SUCCESS;
  try {
    code = body();
  } catch (const ReportedByMpi& e) {
    return e.code;
  } catch (...) {
    code = caught_error();
  }
  return raise(comm, code);
}

}  // namespace strata::mpix
