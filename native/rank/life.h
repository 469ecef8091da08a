// SPDX-License-Identifier: LGPL-2.1-only
// When a rank's time is virtual: from the end of MPI_Init, where all ranks wait for each other, until MPI_Finalize.
#pragma once

#include <cstdint>

namespace strata::native {

/// Virtual time begins for a rank that MPI_Comm_spawn has started, in the function in which it is. No effect if it has.
void begin_virtual_time();

/// The program enters an MPI function, and leaves it. `arguments`: the first six, which may be changed.
void begin_call(int function, std::uint64_t* arguments);
void end_call(int function);

/// Computation of the program outside MPI, where it is measured: the processor time since the last call is charged.
void charge_computation();

}  // namespace strata::native
