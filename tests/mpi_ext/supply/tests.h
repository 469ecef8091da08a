// SPDX-License-Identifier: LGPL-2.1-only
// The tests of this program, an idea in each file.
#pragma once

#include <mpi.h>

#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/supply/graphs.h"

namespace strata::mpix::testing {

// --- topologies.cc ---

// Each rank gives its own edges; their order is that of the blocks.
void check_adjacent(Checks& t, MPI_Comm comm, const Edges& edges, bool weighted, int reorder);

// Every rank gives the edges of the rank after the next one: the graph is the same, in an order that MPI chooses.
void check_named_elsewhere(Checks& t, MPI_Comm comm, bool by_one);

// A star created by MPI_Graph_create, with all ranks except the last one.
void check_graph(Checks& t, MPI_Comm comm);

// A mesh that is open in one dimension, and a ring in the other.
void check_mesh(Checks& t, MPI_Comm comm);

// Heavy edges are between nodes: `reorder` must not increase their number.
void check_reorder(Checks& t, MPI_Comm comm, const std::vector<int>& nodes);

// --- overlap.cc ---

// Two collectives under way at once, with messages of the program between them, waited for in reverse order.
void check_overlap(Checks& t, MPI_Comm comm);

// A collective that can complete only after another request, which comes after it in the list. Rank 0 starts its part
// when it has a message from every rank. `how`: 0 MPI_Waitany, 1 MPI_Testany, 2 MPI_Waitsome.
void check_any(Checks& t, MPI_Comm comm, int how);

// --- node.cc ---

// The ranks of a node, their name, and a window that they share.
void check_node(Checks& t, MPI_Comm comm, const std::vector<int>& nodes);

// --- communicators.cc ---

// Rank 0 duplicates a communicator after rank 1 has received its message, and rank 1 before.
void check_idup_waits_for_nobody(Checks& t, MPI_Comm comm);

// Communicators made from communicators: members are right, and a message in one is not received in another.
void check_splits(Checks& t, MPI_Comm comm);

// The first `left` ranks and the others; the leader of each side is its last rank.
void check_intercomm(Checks& t, MPI_Comm comm, int left);

// --- status.cc ---

// A generalized request and a matched receive give the status of their own.
void check_own_status(Checks& t, MPI_Comm comm);

// A message that was found by a matched probe is not received by another matching receive.
void check_matched_probe(Checks& t, MPI_Comm comm);

// --- errors.cc ---

// Classes, codes and texts that the program adds.
void check_added_errors(Checks& t);

// Too many positions, and a process that is not in the old communicator.
void check_refused_communicators(Checks& t, MPI_Comm comm);

// Functions of graphs on communicators that are none, and ranks and directions that do not exist.
void check_errors(Checks& t, MPI_Comm comm);

// --- datatypes.cc ---
void check_datatypes(Checks& t);

// --- small_collectives.cc ---

// Reductions of nothing, of one element and of many, on one rank and on several.
void check_small_collectives(Checks& t, MPI_Comm comm);

}  // namespace strata::mpix::testing
