// SPDX-License-Identifier: LGPL-2.1-only
// The algorithms of MPICH's collectives that Open MPI's (algorithms.h) do not have, each in its own file, which says
// where it comes from. For example, what rank 2 of 8 does in a broadcast along a binomial tree:
//
//   Steps steps;
//   in_order_binomial_broadcast({.ranks = 8, .count = 1000}, {}, 2, steps);
//
// mpich.h has MPICH's names, and those that both libraries have. There are at least two ranks.
#pragma once

#include "collectives/schedules/collective.h"

namespace strata::collectives {

// MPI_Bcast
void in_order_binomial_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void scatter_doubling_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void scatter_byte_ring_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void first_rank_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void root_node_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);
void node_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Reduce, MPI_Allreduce
void blocking_binomial_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void halving_block_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void node_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void rank_0_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void doubling_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void halving_block_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps);
void node_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Gather, MPI_Scatter
void in_place_binomial_gather(const Collective& call, const Settings& settings, int rank, Steps& steps);
void own_last_binomial_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Allgather, MPI_Allgatherv
void bruck_buffer_allgather(const Collective& call, const Settings& settings, int rank, Steps& steps);
void bruck_buffer_allgatherv(const Collective& call, const Settings& settings, int rank, Steps& steps);
void doubling_allgatherv(const Collective& call, const Settings& settings, int rank, Steps& steps);
void pipelined_ring_allgatherv(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Alltoall, MPI_Alltoallv
void bruck_pack_alltoall(const Collective& call, const Settings& settings, int rank, Steps& steps);
void exchange_alltoall(const Collective& call, const Settings& settings, int rank, Steps& steps);
void replace_alltoall(const Collective& call, const Settings& settings, int rank, Steps& steps);
void scattered_alltoall(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Reduce_scatter, MPI_Reduce_scatter_block
void exchange_reduce_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps);
void mirrored_reduce_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Scan, MPI_Exscan
void copying_doubling_scan(const Collective& call, const Settings& settings, int rank, Steps& steps);
void copying_doubling_exscan(const Collective& call, const Settings& settings, int rank, Steps& steps);
void node_scan(const Collective& call, const Settings& settings, int rank, Steps& steps);

// MPI_Barrier
void node_barrier(const Collective& call, const Settings& settings, int rank, Steps& steps);

}  // namespace strata::collectives
