// SPDX-License-Identifier: LGPL-2.1-only
// The program's calls of MPI functions, from C and Fortran. Each function of board/functions.txt has an entry in
// call_entries.S, which the program finds instead of the library's. It reports the call, continues in the library's
// function with the same arguments, and comes back here at its return:
//
//   program:  MPI_Send(...)     -> entry -> enter_call(7, arguments, return address) -> the library's MPI_Send
//   library:  return MPI_SUCCESS          -> leave_call()                            -> the program
//
// So this works for every function, with any arguments, and for both libraries, whose handles differ.
#pragma once

#include "native/board/function_names.h"

namespace strata::native {

/// The outermost MPI function that this thread is in; -1: none.
int current_function();
/// The number of this thread's calls so far.
long calls_so_far();

}  // namespace strata::native
