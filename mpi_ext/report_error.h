// SPDX-License-Identifier: LGPL-2.1-only
// Errors of the library. Like MPI's own functions (MPI 4.0, Section 9.3), it reports each error once through the
// communicator's error handler. Exceptions never leave the C interface.
//
// If an MPI function fails on a communicator of the user, or on one that inherited its error handler, it has already
// called that handler: such calls go through `call`. Errors that the library finds itself, and errors of calls on a
// communicator whose handler is MPI_ERRORS_RETURN, go through `check` or are returned as a code, and `guarded` calls
// the handler.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <exception>

namespace strata::mpix {

/// An error of an MPI function that has already called the error handler.
struct ReportedByMpi {
  int code;
};

/// Throws ReportedByMpi if `code` is an error. For MPI functions that call the user's error handler themselves.
inline void call(int code) {
  if (code != MPI_SUCCESS) throw ReportedByMpi{code};
}

/// An error that has not been reported yet.
struct Unreported {
  int code;
};

/// Throws Unreported if `code` is an error. For MPI functions on a communicator whose handler is MPI_ERRORS_RETURN, and
/// for errors that the library finds itself.
inline void check(int code) {
  if (code != MPI_SUCCESS) throw Unreported{code};
}

/// Ends the program with a line on stderr that gives the error and `why`, the reason that the program cannot continue.
inline void abort_with(MPI_Comm comm, int code, const char* why) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::fprintf(stderr, "strata: %s; %s\n", text, why);
  MPI_Abort(comm, code);
}

/// Calls the error handler of `comm` (of MPI_COMM_WORLD if `comm` is null) with `code`, and returns the code.
inline int raise(MPI_Comm comm, int code) {
  if (code == MPI_SUCCESS) return code;
  if (comm == MPI_COMM_NULL) comm = MPI_COMM_WORLD;
  // SMPI 3.32 returns a null handle for the default handler, and calls through a null pointer for MPI's predefined
  // ones.
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

/// MPI_SUCCESS if `comm` is an intracommunicator.
inline int check_intracomm(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  int inter = 0;
  call(MPI_Comm_test_inter(comm, &inter));
  return inter != 0 ? MPI_ERR_COMM : MPI_SUCCESS;
}

/// The error code of the exception that is being handled. An exception that is not an MPI error gives one line on
/// stderr and MPI_ERR_OTHER.
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

/// Runs `body`, which returns or throws an MPI error code that has not been reported, and reports it. Any other
/// exception becomes one line on stderr and MPI_ERR_OTHER.
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

/// The same without reporting. For a PMPI_X of which SMPI's MPI_X calls the error handler.
template <class Body>
int coded(Body body) {
  try {
    return body();
  } catch (...) {
    return caught_error();
  }
}

}  // namespace strata::mpix
