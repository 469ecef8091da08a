// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/coll/arguments.h"

#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

// To check a datatype or an operation that is not null, these functions call a function of MPI on the caller alone and
// with no elements, so that it sends nothing and touches no buffer. They use PMPI names, which tools do not see.
// Operations are checked with MPI_Scan, because MPI_Reduce with no elements divides by zero in SMPI 3.32 if SMPI
// follows Open MPI.

void check_message(int count, MPI_Datatype datatype) {
  if (count < 0) check(MPI_ERR_COUNT);
  if (datatype == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
  int nothing = 0;
  check(PMPI_Bcast(&nothing, 0, datatype, 0, SelfContext().comm()));
}

void check_operation(MPI_Datatype datatype, MPI_Op op) {
  if (op == MPI_OP_NULL) check(MPI_ERR_OP);
  int nothing = 0, result = 0;
  check(PMPI_Scan(&nothing, &result, 0, datatype, op, SelfContext().comm()));
}

void check_root(int root, int size) {
  if (root < 0 || root >= size) check(MPI_ERR_ROOT);
}

void check_buffer(const void* buffer, int count, MPI_Datatype datatype) {
  if (buffer == MPI_IN_PLACE) check(MPI_ERR_BUFFER);
  if (buffer != nullptr || is_empty(count, datatype)) return;
  // A null buffer may be MPI_BOTTOM, if the datatype contains absolute addresses and therefore starts elsewhere.
  MPI_Aint lower = 0, extent = 0;
  call(MPI_Type_get_true_extent(datatype, &lower, &extent));
  if (lower == 0) check(MPI_ERR_BUFFER);
}

void check_distinct(const void* sendbuf, const void* recvbuf, int count, MPI_Datatype datatype) {
  // Two datatypes with absolute addresses may both start at MPI_BOTTOM.
  if (sendbuf == recvbuf && sendbuf != MPI_BOTTOM && !is_empty(count, datatype)) check(MPI_ERR_BUFFER);
}

void check_segment_bytes(int segment_bytes) {
  if (segment_bytes < 0) check(MPI_ERR_ARG);
}

}  // namespace strata::mpix
