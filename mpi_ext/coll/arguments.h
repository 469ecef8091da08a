// SPDX-License-Identifier: LGPL-2.1-only
// Checks that collectives do on their own process before they send anything. Errors are those of MPI's own functions:
// MPI itself checks counts, datatypes and operations.
#pragma once

#include <mpi.h>

#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

/// Runs `body` with the number of ranks; errors go to the handler of `comm`. MPI_ERR_COMM if `comm` is null or an
/// intercommunicator.
template <class Body>
int on_intracomm(MPI_Comm comm, Body body) {
  return guarded(comm, [&] {
    check(check_intracomm(comm));
    body(size_of(comm));
    return static_cast<int>(MPI_SUCCESS);
  });
}

/// All throw Unreported: MPI_ERR_COUNT or MPI_ERR_TYPE (null, not committed); MPI_ERR_ROOT; MPI_ERR_OP (null, or
/// invalid for this datatype), and those of check_message.
void check_message(int count, MPI_Datatype datatype);
void check_root(int root, int size);
void check_operation(MPI_Datatype datatype, MPI_Op op);

/// Throws MPI_ERR_BUFFER for MPI_IN_PLACE, and for a null pointer unless the datatype's addresses are absolute. The
/// message has been checked.
void check_buffer(const void* buffer, int count, MPI_Datatype datatype);

/// Throws MPI_ERR_BUFFER if both buffers are the same; the caller probably meant MPI_IN_PLACE.
void check_distinct(const void* sendbuf, const void* recvbuf, int count, MPI_Datatype datatype);

/// Throws MPI_ERR_ARG.
void check_segment_bytes(int segment_bytes);

}  // namespace strata::mpix
