// SPDX-License-Identifier: LGPL-2.1-only
// The trees that nonblocking collectives take: what "auto" chooses, and how many messages leave a node. Under every
// MPI.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

/// MPIX_Comm_set_progress with one key.
void set_progress(Checks& t, MPI_Comm comm, const char* key, const char* value);

/// "COLLECTIVE,TREE,STEPS": with "mpix_steps" "auto" that many steps are what MPIX_Request_get_steps tells.
void choose_steps(Checks& t, MPI_Comm application, const std::string& what);

/// Of collectives over both trees as many messages go between nodes as the tree has edges there; over nodes each node
/// but the root's is one edge's end. `node_of_rank` is of the application's ranks.
void count_messages_between_nodes(Checks& t, MPI_Comm application, const std::vector<int>& node_of_rank);

}  // namespace strata::mpix::testing
