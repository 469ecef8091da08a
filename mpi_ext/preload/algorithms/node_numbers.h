// SPDX-License-Identifier: LGPL-2.1-only
// Which ranks of a communicator share a node of the machine:
//
//   node_numbers(comm)      {0, 0, 3, 3} if its ranks 0 and 1 are on node 0, and 2 and 3 on node 3
//
// A host of SimGrid is a core; it has the number of its node as a property.
#pragma once

#include <mpi.h>

#include <vector>

namespace strata::mpix {

/// By rank. The result is kept, and shared by the ranks of a communicator.
const std::vector<int>& node_numbers(MPI_Comm comm);

}  // namespace strata::mpix
