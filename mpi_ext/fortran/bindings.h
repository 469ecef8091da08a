// SPDX-License-Identifier: LGPL-2.1-only
// Conversions from Fortran's values to C's, used by the functions in bindings_of_functions.cc, which generate.py makes.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/mpix.h"

// Assigns like Fortran's character assignment: cut, or padded with blanks; blank if `from` is null. Does nothing if
// `to` is null.
void assign(char* to, int length, const char* from);

// The number of elements of an array as given by Fortran; negative numbers count as 0.
inline std::size_t elements(int said) { return static_cast<std::size_t>(std::max(said, 0)); }

// The number of neighbours of a process in a Cartesian communicator: two per dimension. Returns an MPI error.
int neighbours_of(MPI_Comm comm, int* neighbours);

// A text returned by C: a char** or const char** argument.
struct Text {
  char* text = nullptr;
  operator char**() { return &text; }
  operator const char**() { return const_cast<const char**>(&text); }
};

// Fortran has no unsigned integers: C's unsigned long becomes a signed integer of the same size.
static_assert(sizeof(std::int64_t) == sizeof(long));

// A number returned by C: a long* or unsigned long* argument.
struct Long {
  std::int64_t value = 0;
  operator long*() { return reinterpret_cast<long*>(&value); }
  operator unsigned long*() { return reinterpret_cast<unsigned long*>(&value); }
};

// Numbers passed to C: a const long* or const unsigned long* argument.
struct Longs {
  const std::int64_t* values;
  operator const long*() const { return reinterpret_cast<const long*>(values); }
  operator const unsigned long*() const { return reinterpret_cast<const unsigned long*>(values); }
};
