// SPDX-License-Identifier: LGPL-2.1-only
// Trees of nonblocking collectives: the choice of "auto", and the number of messages that leave a node. For every MPI.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

/// Calls MPIX_Comm_set_progress with one key.
void set_progress(Checks& t, MPI_Comm comm, const char* key, const char* value);

/// `what` is "COLLECTIVE,TREE,STEPS": with "mpix_steps" "auto", MPIX_Request_get_steps must return STEPS.
void choose_steps(Checks& t, MPI_Comm application, const std::string& what);

/// For both trees, collectives must send as many messages between nodes as the tree has edges there; in a tree over
/// nodes that is one for each node except the root's. `node_of_rank`: by rank of the application.
void count_messages_between_nodes(Checks& t, MPI_Comm application, const std::vector<int>& node_of_rank);

}  // namespace strata::mpix::testing
