// SPDX-License-Identifier: LGPL-2.1-only
// The functions of MPI that ranks report when they enter and leave them, by number: those of functions.txt, which has
// what Open MPI 4.1 and 5.0 and MPICH 4.0 and 4.2 export, without conversions, MPI_Wtime and the tools interface.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::native {

int num_functions();
/// "MPI_Send". `number` from 0 to num_functions() - 1.
std::string_view function_name(int number);
/// All of them, by number.
std::vector<std::string> function_names();
/// -1: no function has this name.
int function_number(std::string_view name);

/// How the library may behave in it.
enum class Nature : unsigned char {
  kWaits,     // until something has happened, or not at all
  kTests,     // it asks whether something has happened, and returns in any case: MPI_Test, MPI_Iprobe
  kSends,     // a blocking send: MPI_Send, MPI_Rsend
  kConnects,  // it may wait for another job or for the launcher: MPI_Comm_spawn
};
/// `number` may be -1: kWaits.
Nature nature_of(int number);

inline bool connects_jobs(int number) { return nature_of(number) == Nature::kConnects; }

}  // namespace strata::native
