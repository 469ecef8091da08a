// SPDX-License-Identifier: LGPL-2.1-only
// What the functions of bindings_of_functions.cc, which generate.py makes, turn Fortran's values into C's with.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/mpix.h"

// As Fortran assigns to a character variable: cut, or padded with blanks; blank where `from` is null. Nothing where
// there is no variable.
void assign(char* to, int length, const char* from);

// The number of elements that Fortran says an array has, at least 0.
inline std::size_t elements(int said) { return static_cast<std::size_t>(std::max(said, 0)); }

// How many neighbours a process has in a Cartesian communicator: two a dimension. Returns an MPI error.
int neighbours_of(MPI_Comm comm, int* neighbours);

// A text that C returns: a char** or const char** argument.
struct Text {
  char* text = nullptr;
  operator char**() { return &text; }
  operator const char**() { return const_cast<const char**>(&text); }
};

// Fortran has no unsigned integers: numbers that C has as unsigned long are signed ones of the same size.
static_assert(sizeof(std::int64_t) == sizeof(long));

// A number that C returns: a long* or unsigned long* argument.
struct Long {
  std::int64_t value = 0;
  operator long*() { return reinterpret_cast<long*>(&value); }
  operator unsigned long*() { return reinterpret_cast<unsigned long*>(&value); }
};

// Numbers that C is given: a const long* or const unsigned long* argument.
struct Longs {
  const std::int64_t* values;
  operator const long*() const { return reinterpret_cast<const long*>(values); }
  operator const unsigned long*() const { return reinterpret_cast<const unsigned long*>(values); }
};
