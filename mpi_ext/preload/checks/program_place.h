// SPDX-License-Identifier: LGPL-2.1-only
// Where in the program a call of MPI is: from the stack, the first function that is neither MPI's nor ours.
//
//   solver.c:12, in relax   <- Caller::place
//   MPI_Send                of libsimgrid
//   PMPI_Send               of this library
#pragma once

#include "mpi_ext/preload/checks/call.h"
#include "records/exchange/finding.h"

namespace strata::mpix {

struct Caller {
  bool is_program = false;  // the program's own code calls MPI's function; no function of ours or of SMPI's does
  Place place = nullptr;    // nullptr: unknown
};

/// Call it in a function that replaces one of MPI's, with the address to which it returns. It returns to this library
/// if SMPI has jumped to it from another function that this library has called. `frame`: __builtin_frame_address(0)
/// there.
Caller caller_of_mpi(const void* returns_to, const void* frame);

/// The file and the offset; the program's ranks have copies of its file, which are the same place.
CodePlace code_place(Place place);

}  // namespace strata::mpix
