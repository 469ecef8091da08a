// SPDX-License-Identifier: LGPL-2.1-only
// The graphs of this program, communicators of them, and exchanges between their neighbours.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

// A directed edge, and its weight in bytes.
struct Edge {
  int from, to, weight;
};
using Edges = std::vector<Edge>;

// True if MPI keeps the order of messages on parallel edges, and on edges from a process to itself, that the standard
// requires (MPI 4.0, Section 8.6). Open MPI 4.1 does not in a periodic dimension of 1 or 2, MPICH 4.0 not in a graph.
#ifdef SMPI_H
inline constexpr bool kKeepsOrder = true;
#else
inline constexpr bool kKeepsOrder = false;
#endif

// A ring in both directions. Rank 0 also has edges to the other ranks, to itself, and two to rank 1.
Edges uneven_graph(int size);

struct Lists {
  std::vector<int> sources, source_weights, destinations, destination_weights;
};

// The edges of a vertex, in order.
Lists lists_of(const Edges& edges, int vertex);

// The neighbours that MPI reports.
Lists lists_from_mpi(Checks& t, MPI_Comm graph, bool weighted);

MPI_Comm adjacent(Checks& t, MPI_Comm comm, const Edges& edges, bool weighted, int reorder);

void check_kind(Checks& t, int expected, MPI_Comm comm);

// The way in which a neighbourhood collective is completed.
enum class Way { kBlocking, kWait, kTest, kWaitall };
inline constexpr std::array kWays = {Way::kBlocking, Way::kWait, Way::kTest, Way::kWaitall};

int complete(Way way, MPI_Request* request);

// All five collectives, completed in all ways. `in` and `out` are the caller's neighbours in MPI's order.
// `block_of_source`: for each neighbour in `in`, the number of the block that it sends here.
void check_exchanges(Checks& t, MPI_Comm comm, const std::vector<int>& in, const std::vector<int>& out,
                     const std::vector<int>& block_of_source);

}  // namespace strata::mpix::testing
