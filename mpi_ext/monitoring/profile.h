// The files that sessions write: the lines of Open MPI's monitoring (.prof).
#pragma once

#include <string>

#include "mpi_ext/monitoring/counters.h"

namespace strata::mpix::monitoring {

/// Adds what rank `sender` of `size` has sent, a line for each kind and receiver, in this order: "E\t0\t1\t108
/// bytes\t27 msgs sent". Open MPI's own files have a histogram of sizes behind, which its tools skip.
void append_profile(std::string& text, const Row& row, int sender, int size);

}  // namespace strata::mpix::monitoring
