// SPDX-License-Identifier: LGPL-2.1-only
// The nodes of a machine that a job gets, and its ranks on them.
//
//   first       the first nodes of the machine, as many as the ranks need
//   2x2x8       the nodes of a box of 2 x 2 x 8 routers of a torus, at its origin
//   random:7    as many nodes as the ranks need, scattered over the machine; 7 is the seed
//
// For example, on a torus with two nodes a router, the first 64 nodes are those of routers (0,0,0) to (0,3,7), a slab
// of 1x4x8. A box of 2x2x8 or 4x4x2 gives different results. A scheduler that knows the torus allocates a box: that of
// Blue Waters "optimizes communication performance by placing the job into a convex cuboid node allocation" unless
// users asked for something else (NCSA, bluewaters.ncsa.illinois.edu/topology-aware-scheduling, in production from
// January 2015). Other schedulers allocate the nodes that are free.
//
// In each case the nodes of the job are in the machine's order, as MPI's launchers sort them, and ranks are placed as
// if the machine had no other nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "platforms/placement.h"

namespace strata {

inline constexpr char kFirstNodes[] = "first";

struct Allocation {
  std::vector<int> shape = {};  // routers along each dimension; empty: no box
  bool scattered = false;
  std::uint64_t seed = 0;  // if scattered
};

/// Parses an allocation; the empty text means `first`. Throws InputError that names `where`.
Allocation parse_allocation(const std::string& text, const std::string& where);

/// The nodes of a job of `np` ranks, in the machine's order; for `first`, all nodes. `np` 0: as many ranks as the
/// machine has cores. Throws InputError that names `where`: a box on a machine without a torus, with other dimensions,
/// or larger than the torus; fewer cores than ranks, unless `oversubscribe`.
std::vector<int> nodes_of_job(const Machine& machine, const Allocation& allocation, int np, bool oversubscribe,
                              const std::string& where);

/// place() of placement.h on these nodes. `np` 0: one rank for each of their cores. Throws as place().
std::vector<Binding> place_on_nodes(const Topology& topology, const std::vector<int>& nodes, int np,
                                    const PlacementOptions& options);

/// The ranks of a job: nodes_of_job() and place_on_nodes().
std::vector<Binding> place_job(const Machine& machine, const std::string& allocation, int np,
                               const PlacementOptions& options, const std::string& where);

}  // namespace strata
