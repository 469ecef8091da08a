// SPDX-License-Identifier: LGPL-2.1-only
// The size of data given as elements of a datatype. Local.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "mpi_ext/report_error.h"

namespace strata::mpix {

/// Bytes of `count` elements, without gaps (MPI 4.0, Section 5.1.5, MPI_Type_size). Throws ReportedByMpi.
inline std::size_t data_bytes(long count, MPI_Datatype datatype) {
  int size = 0;
  call(MPI_Type_size(datatype, &size));
  return static_cast<std::size_t>(count) * size;
}

}  // namespace strata::mpix
