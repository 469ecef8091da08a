// SPDX-License-Identifier: LGPL-2.1-only
// Checks of the collectives before they send anything, each on its own process. Errors are those of MPI's own
// functions: counts, datatypes and operations are judged by MPI itself.
#pragma once

#include <mpi.h>

#include "mpi_ext/error.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

/// Runs `body` with the number of ranks; errors go to the handler of `comm`. MPI_ERR_COMM where it is null or an
/// intercommunicator.
template <class Body>
int on_intracomm(MPI_Comm comm, Body body) {
  return guarded(comm, [&] {
    check(check_intracomm(comm));
    body(size_of(comm));
    return static_cast<int>(MPI_SUCCESS);
  });
}

/// All throw Unreported: MPI_ERR_COUNT or MPI_ERR_TYPE (null, not committed); MPI_ERR_ROOT; MPI_ERR_OP (null, or not
/// for this datatype), and those of check_message.
void check_message(int count, MPI_Datatype datatype);
void check_root(int root, int size);
void check_operation(MPI_Datatype datatype, MPI_Op op);

/// MPI_ERR_BUFFER on MPI_IN_PLACE, or on a null pointer where elements are at none but relative addresses. The message
/// is checked.
void check_buffer(const void* buffer, int count, MPI_Datatype datatype);

/// MPI_ERR_BUFFER where both are one and MPI_IN_PLACE was meant.
void check_distinct(const void* sendbuf, const void* recvbuf, int count, MPI_Datatype datatype);

/// MPI_ERR_ARG.
void check_segment_bytes(int segment_bytes);

}  // namespace strata::mpix
