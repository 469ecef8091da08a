// SPDX-License-Identifier: LGPL-2.1-only
// Open files and memory that simulations need of this computer. They are checked before a simulation begins, because
// SimGrid ends in the middle of its work, or takes all memory, if there is too little.
#pragma once

#include <string>

#include "platforms/machine.h"

namespace strata::sim {

/// Throws InputError if this process may not open as many files as `jobs` simulations at a time need.
void require_open_files(int jobs);

/// The bytes of memory that a simulation of this machine needs for its cores and links.
double simulation_memory_bytes(const Machine& machine);

/// Throws InputError if this is more memory than a process can get here now.
void require_memory(const Machine& machine);

}  // namespace strata::sim
