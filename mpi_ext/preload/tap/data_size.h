// SPDX-License-Identifier: LGPL-2.1-only
// The size of data that MPI has accepted without an error.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace strata::mpix {

/// Bytes of `count` elements, without gaps (MPI 4.0, Section 5.1.5).
inline std::uint64_t bytes(MPI_Count count, MPI_Datatype datatype) {
  MPI_Count size = 0;
  PMPI_Type_size_x(datatype, &size);
  return static_cast<std::uint64_t>(count * size);
}

}  // namespace strata::mpix
