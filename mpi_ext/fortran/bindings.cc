// SPDX-License-Identifier: LGPL-2.1-only
// The C side of the Fortran modules that is written by hand; bindings_of_functions.cc, which generate.py makes, has a
// function for each of mpix.h and MPI_Monitoring.h: it turns Fortran's integer handles into C's, calls the function
// that it is named after, and turns the results back. Buffers come as addresses that mean what C means by them
// (mpix_topology_c.F90 has replaced Fortran's MPI_IN_PLACE and MPI_BOTTOM). Errors are mpix.h's.
#include "mpi_ext/fortran/bindings.h"

#include <algorithm>
#include <cstring>

void assign(char* to, int length, const char* from) {
  if (to == nullptr) return;
  const std::size_t all = elements(length);
  const std::size_t used = from == nullptr ? 0 : std::min(all, std::strlen(from));
  if (used > 0) std::memcpy(to, from, used);
  std::memset(to + used, ' ', all - used);
}

int neighbours_of(MPI_Comm comm, int* neighbours) {
  int dimensions = 0;
  const int error = MPIX_Nodecart_dim_get(comm, &dimensions);
  *neighbours = 2 * dimensions;
  return error;
}

extern "C" {

const void* mpix_fortran_address(const void* buffer) { return buffer; }

const void* mpix_fortran_c_in_place() { return MPI_IN_PLACE; }

const void* mpix_fortran_c_bottom() { return MPI_BOTTOM; }

void mpix_fortran_m_error_string(int error, char* text, int length) { assign(text, length, MPI_M_error_string(error)); }

}  // extern "C"
