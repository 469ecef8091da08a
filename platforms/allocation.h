// SPDX-License-Identifier: LGPL-2.1-only
// Which nodes of a machine a job has, and ranks on these.
//
//   first       the first nodes of the machine, as many as the ranks take
//   2x2x8       those of a box of 2 x 2 x 8 routers of a torus, at its origin
//   random:7    as many as the ranks need, anywhere on the machine, by a seed
//
// A job of 64 nodes on a torus of two nodes a router has the routers (0,0,0) to (0,3,7), a slab of 1x4x8, where it has
// the first nodes; what it gets in a box of 2x2x8 or 4x4x2 differs. A scheduler that knows the torus gives a
// box: that of Blue Waters "optimizes communication performance by placing the job into a convex cuboid node
// allocation" unless users asked for something else (NCSA, bluewaters.ncsa.illinois.edu/topology-aware-scheduling, in
// production from January 2015). One that does not gives what is free.
//
// In each case the job has them in the machine's order, as MPI's launchers sort them, and ranks are dealt
// over them as if there were no others.
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
  std::uint64_t seed = 0;  // where scattered
};

/// The meaning of a text; the empty one is `first`. Throws InputError that names `where`.
Allocation parse_allocation(const std::string& text, const std::string& where);

/// The nodes of a job of `np` ranks, in the machine's order: of `first` all that there are. `np` 0: as many as there
/// are cores. Throws InputError that names `where`: a box on a machine without a torus, of other dimensions or larger;
/// fewer cores than ranks, unless `oversubscribe`.
std::vector<int> nodes_of_job(const Machine& machine, const Allocation& allocation, int np, bool oversubscribe,
                              const std::string& where);

/// place() of placement.h on these nodes. `np` 0: a rank for each of their cores. Throws what it does.
std::vector<Binding> place_on_nodes(const Topology& topology, const std::vector<int>& nodes, int np,
                                    const PlacementOptions& options);

/// The ranks of a job: both of the above.
std::vector<Binding> place_job(const Machine& machine, const std::string& allocation, int np,
                               const PlacementOptions& options, const std::string& where);

}  // namespace strata
