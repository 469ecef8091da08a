// SPDX-License-Identifier: LGPL-2.1-only
// The collectives of Strata itself (mpi_ext), each in its own file, which says where it comes from. For example, what
// rank 4 of 8 on two nodes does in a broadcast down the binomial tree of each level of the hierarchy:
//
//   Steps steps;
//   hierarchical_broadcast({.ranks = 8, .count = 1000, .bridges = {{0, 4}, {0, 1, 2, 3}, {4, 5, 6, 7}}},
//                          {}, binomial_broadcast, 4, steps);
//
// own.h has all of them by name. There are at least two ranks.
#pragma once

#include "collectives/schedules/collective.h"

namespace strata::collectives {

// Over the communicator hierarchy of RR-9077. `on_bridge` is the algorithm on each level, one of Open MPI's.
void hierarchical_broadcast(const Collective& call, const Settings& settings, Generator on_bridge, int rank,
                            Steps& steps);
void hierarchical_reduce(const Collective& call, const Settings& settings, Generator on_bridge, int rank, Steps& steps);
void hierarchical_allreduce(const Collective& call, const Settings& settings, Generator reduce, Generator broadcast,
                            int rank, Steps& steps);
/// The tree on each level of those that move blocks.
enum class BlockTree { kLinear, kBinomial };
void hierarchical_gather(const Collective& call, BlockTree tree, int rank, Steps& steps);
void hierarchical_scatter(const Collective& call, BlockTree tree, int rank, Steps& steps);
void hierarchical_allgather(const Collective& call, BlockTree tree, Generator broadcast, int rank, Steps& steps);
void hierarchical_barrier(const Collective& call, BlockTree tree, int rank, Steps& steps);

// Along the tree of levels of IJHPCA'19, m-nomial with m = Settings::fanout; over the nodes of the call if it has any
// (not for gather and scatter).
void split_tree_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void split_tree_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void split_tree_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void split_tree_gather(const Collective& call, const Settings& settings, int rank, Steps& steps);
void split_tree_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps);
void split_tree_barrier(const Collective& call, const Settings& settings, int rank, Steps& steps);

}  // namespace strata::collectives
