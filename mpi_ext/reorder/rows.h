// The rows of a communication matrix, gathered on one process: sparse, over a binomial tree.
//
// At step k, the ranks whose k lowest bits are 1 0...0 send all that they have to the rank whose bit they clear: a
// number and, where it is not 0, that many entries. log2 P steps for rank 0, which receives each entry once;
// MPI_Gatherv would send rank 0 a message from each process (and needs P counts first).
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/reorder/pattern.h"

namespace strata::mpix {

/// Everybody's `mine` on rank 0 of a context, in no particular order; nothing elsewhere. Collective. Throws Unreported.
std::vector<Flow> gather_flows(MPI_Comm context, std::vector<Flow> mine);

}  // namespace strata::mpix
