// SPDX-License-Identifier: LGPL-2.1-only
// The algorithms of Open MPI's collectives, each in its own file, which says where it comes from. For example, what
// rank 2 of 8 does in a broadcast along a binomial tree:
//
//   Steps steps;
//   binomial_broadcast({.ranks = 8, .count = 1000}, {}, 2, steps);
//
// All are Generators (collective.h): they append the steps of one rank, in O(steps). There are at least two ranks: in a
// communicator of one, Open MPI copies (coll/self).
#pragma once

#include "collectives/schedules/collective.h"

namespace strata::collectives {

// MPI_Bcast. The trees are those of tree_places.h.
void linear_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void chain_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void pipeline_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void binary_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void binomial_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void k_nomial_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void split_binary_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void scatter_allgather_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void scatter_ring_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Reduce
void linear_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void chain_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void pipeline_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void binary_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void binomial_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void in_order_binary_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void halving_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Allreduce
void linear_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void reduce_broadcast_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void recursive_doubling_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void ring_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void segmented_ring_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void halving_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Gather, MPI_Scatter
void linear_gather(const Collective& call, const Settings& settings, int rank, Steps& steps);
void binomial_gather(const Collective& call, const Settings& settings, int rank, Steps& steps);
void synchronised_gather(const Collective& call, const Settings& settings, int rank, Steps& steps);
void linear_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps);
void binomial_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps);
void nonblocking_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Allgather
void gather_broadcast_allgather(const Collective& call, const Settings& settings, int rank, Steps& steps);
void bruck_allgather(const Collective& call, const Settings& settings, int rank, Steps& steps);
void recursive_doubling_allgather(const Collective& call, const Settings& settings, int rank, Steps& steps);
void ring_allgather(const Collective& call, const Settings& settings, int rank, Steps& steps);
void neighbour_allgather(const Collective& call, const Settings& settings, int rank, Steps& steps);
void two_rank_allgather(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Allgatherv has also the ring, the neighbour exchange, and the exchange of two ranks.
void gather_broadcast_allgatherv(const Collective& call, const Settings& settings, int rank, Steps& steps);
void bruck_allgatherv(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Alltoall, MPI_Alltoallv
void linear_alltoall(const Collective& call, const Settings& settings, int rank, Steps& steps);
void pairwise_alltoall(const Collective& call, const Settings& settings, int rank, Steps& steps);
void bruck_alltoall(const Collective& call, const Settings& settings, int rank, Steps& steps);
void windowed_alltoall(const Collective& call, const Settings& settings, int rank, Steps& steps);
void linear_alltoallv(const Collective& call, const Settings& settings, int rank, Steps& steps);
void pairwise_alltoallv(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Reduce_scatter, MPI_Reduce_scatter_block
void halving_reduce_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps);
void ring_reduce_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps);
void butterfly_reduce_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps);
void reduce_scatterv(const Collective& call, const Settings& settings, int rank, Steps& steps);
void recursive_doubling_reduce_scatter_block(const Collective& call, const Settings& settings, int rank, Steps& steps);
void reduce_scatter_in_two(const Collective& call, const Settings& settings, int rank, Steps& steps);
void butterfly_reduce_scatter_block(const Collective& call, const Settings& settings, int rank, Steps& steps);
void halving_reduce_scatter_block(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Barrier
void linear_barrier(const Collective& call, const Settings& settings, int rank, Steps& steps);
void double_ring_barrier(const Collective& call, const Settings& settings, int rank, Steps& steps);
void recursive_doubling_barrier(const Collective& call, const Settings& settings, int rank, Steps& steps);
void bruck_barrier(const Collective& call, const Settings& settings, int rank, Steps& steps);
void two_rank_barrier(const Collective& call, const Settings& settings, int rank, Steps& steps);
void tree_barrier(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Scan, MPI_Exscan
void linear_scan(const Collective& call, const Settings& settings, int rank, Steps& steps);
void recursive_doubling_scan(const Collective& call, const Settings& settings, int rank, Steps& steps);
void linear_exscan(const Collective& call, const Settings& settings, int rank, Steps& steps);
void recursive_doubling_exscan(const Collective& call, const Settings& settings, int rank, Steps& steps);

}  // namespace strata::collectives
