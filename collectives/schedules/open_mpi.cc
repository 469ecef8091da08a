// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/schedules/open_mpi.h"

#include "collectives/schedules/algorithms.h"

namespace strata::collectives {
namespace {

constexpr OpenMpiAlgorithm kAlgorithms[] = {
    {Operation::kBcast, 1, linear_broadcast},
    {Operation::kBcast, 2, chain_broadcast},
    {Operation::kBcast, 3, pipeline_broadcast},
    {Operation::kBcast, 4, split_binary_broadcast},
    {Operation::kBcast, 5, binary_broadcast},
    {Operation::kBcast, 6, binomial_broadcast},
    {Operation::kBcast, 7, k_nomial_broadcast},
    {Operation::kBcast, 8, scatter_allgather_broadcast},
    {Operation::kBcast, 9, scatter_ring_broadcast},
    {Operation::kReduce, 1, linear_reduce},
    {Operation::kReduce, 2, chain_reduce},
    {Operation::kReduce, 3, pipeline_reduce},
    {Operation::kReduce, 4, binary_reduce},
    {Operation::kReduce, 5, binomial_reduce},
    {Operation::kReduce, 6, in_order_binary_reduce},
    {Operation::kReduce, 7, halving_reduce},
    {Operation::kAllreduce, 1, linear_allreduce},
    {Operation::kAllreduce, 2, reduce_broadcast_allreduce, false, true},
    {Operation::kAllreduce, 3, recursive_doubling_allreduce},
    {Operation::kAllreduce, 4, ring_allreduce},
    {Operation::kAllreduce, 5, segmented_ring_allreduce},
    {Operation::kAllreduce, 6, halving_allreduce},
    {Operation::kGather, 1, linear_gather},
    {Operation::kGather, 2, binomial_gather},
    {Operation::kGather, 3, synchronised_gather},
    {Operation::kScatter, 1, linear_scatter},
    {Operation::kScatter, 2, binomial_scatter},
    {Operation::kScatter, 3, nonblocking_scatter},
    {Operation::kAllgather, 1, gather_broadcast_allgather, false, true},
    {Operation::kAllgather, 2, bruck_allgather},
    {Operation::kAllgather, 3, recursive_doubling_allgather},
    {Operation::kAllgather, 4, ring_allgather},
    {Operation::kAllgather, 5, neighbour_allgather},
    {Operation::kAllgather, 6, two_rank_allgather, true},
    {Operation::kAllgatherv, 1, gather_broadcast_allgatherv, false, true},
    {Operation::kAllgatherv, 2, bruck_allgatherv},
    {Operation::kAllgatherv, 3, ring_allgather},
    {Operation::kAllgatherv, 4, neighbour_allgather},
    {Operation::kAllgatherv, 5, two_rank_allgather, true},
    {Operation::kAlltoall, 1, linear_alltoall},
    {Operation::kAlltoall, 2, pairwise_alltoall},
    {Operation::kAlltoall, 3, bruck_alltoall},
    {Operation::kAlltoall, 4, windowed_alltoall},
    {Operation::kAlltoall, 5, pairwise_alltoall, true},
    {Operation::kAlltoallv, 1, linear_alltoallv},
    {Operation::kAlltoallv, 2, pairwise_alltoallv},
    {Operation::kReduceScatter, 1, reduce_scatterv, false, true},
    {Operation::kReduceScatter, 2, halving_reduce_scatter},
    {Operation::kReduceScatter, 3, ring_reduce_scatter},
    {Operation::kReduceScatter, 4, butterfly_reduce_scatter},
    {Operation::kReduceScatterBlock, 1, reduce_scatter_in_two, false, true},
    {Operation::kReduceScatterBlock, 2, recursive_doubling_reduce_scatter_block},
    {Operation::kReduceScatterBlock, 3, halving_reduce_scatter_block},
    {Operation::kReduceScatterBlock, 4, butterfly_reduce_scatter_block},
    {Operation::kBarrier, 1, linear_barrier},
    {Operation::kBarrier, 2, double_ring_barrier},
    {Operation::kBarrier, 3, recursive_doubling_barrier},
    {Operation::kBarrier, 4, bruck_barrier},
    {Operation::kBarrier, 5, two_rank_barrier, true},
    {Operation::kBarrier, 6, tree_barrier},
    {Operation::kScan, 1, linear_scan},
    {Operation::kScan, 2, recursive_doubling_scan},
    {Operation::kExscan, 1, linear_exscan},
    {Operation::kExscan, 2, recursive_doubling_exscan},
};

}  // namespace

std::span<const OpenMpiAlgorithm> open_mpi_algorithms() { return kAlgorithms; }

const OpenMpiAlgorithm* find_open_mpi(Operation operation, int number) {
  for (const OpenMpiAlgorithm& a : kAlgorithms) {
    if (a.operation == operation && a.number == number) return &a;
  }
  return nullptr;
}

}  // namespace strata::collectives
