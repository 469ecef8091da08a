// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/schedules/mpich.h"

#include <algorithm>
#include <bit>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/node_communicators.h"

namespace strata::collectives {
namespace {

using Need = MpichNeed;

constexpr bool kAnyOrder = false;

constexpr MpichAlgorithm kAlgorithms[] = {
    {Operation::kBcast, "MPIR_Bcast_intra_binomial", in_order_binomial_broadcast, Need::kNothing},
    {Operation::kBcast, "MPIR_Bcast_intra_scatter_recursive_doubling_allgather", scatter_doubling_broadcast,
     Need::kNothing},
    {Operation::kBcast, "MPIR_Bcast_intra_scatter_ring_allgather", scatter_byte_ring_broadcast, Need::kNothing},
    {Operation::kBcast, "MPIR_Bcast_intra_smp", node_broadcast, Need::kNodes},
    {Operation::kBcast, "MPIDI_Bcast_intra_composition_alpha", first_rank_broadcast, Need::kNodes},
    {Operation::kBcast, "MPIDI_Bcast_intra_composition_beta", root_node_broadcast, Need::kNodes},
    {Operation::kReduce, "MPIR_Reduce_intra_binomial", blocking_binomial_reduce, Need::kNothing},
    {Operation::kReduce, "MPIR_Reduce_intra_reduce_scatter_gather", halving_block_reduce, Need::kBlockForEach,
     kAnyOrder},
    {Operation::kReduce, "MPIR_Reduce_intra_smp", node_reduce, Need::kCommutativeOnNodes, kAnyOrder},
    {Operation::kReduce, "MPIDI_Reduce_intra_composition_alpha", rank_0_reduce, Need::kCommutativeOnNodes, kAnyOrder},
    {Operation::kReduce, "MPIDI_Reduce_intra_composition_beta", node_reduce, Need::kCommutativeOnNodes, kAnyOrder},
    {Operation::kAllreduce, "MPIR_Allreduce_intra_recursive_doubling", doubling_allreduce, Need::kNothing},
    {Operation::kAllreduce, "MPIR_Allreduce_intra_reduce_scatter_allgather", halving_block_allreduce,
     Need::kBlockForEach, kAnyOrder},
    {Operation::kAllreduce, "MPIR_Allreduce_intra_smp", node_allreduce, Need::kCommutativeOnNodes, kAnyOrder},
    {Operation::kAllreduce, "MPIDI_Allreduce_intra_composition_alpha", node_allreduce, Need::kCommutativeOnNodes,
     kAnyOrder},
    {Operation::kGather, "MPIR_Gather_intra_binomial", in_place_binomial_gather, Need::kNothing},
    {Operation::kScatter, "MPIR_Scatter_intra_binomial", own_last_binomial_scatter, Need::kNothing},
    {Operation::kAllgather, "MPIR_Allgather_intra_brucks", bruck_buffer_allgather, Need::kNothing},
    {Operation::kAllgather, "MPIR_Allgather_intra_recursive_doubling", recursive_doubling_allgather, Need::kPowerOfTwo},
    {Operation::kAllgather, "MPIR_Allgather_intra_ring", ring_allgather, Need::kNothing},
    {Operation::kAllgatherv, "MPIR_Allgatherv_intra_brucks", bruck_buffer_allgatherv, Need::kNothing},
    {Operation::kAllgatherv, "MPIR_Allgatherv_intra_recursive_doubling", doubling_allgatherv, Need::kPowerOfTwo},
    {Operation::kAllgatherv, "MPIR_Allgatherv_intra_ring", pipelined_ring_allgatherv, Need::kNothing},
    {Operation::kAlltoall, "MPIR_Alltoall_intra_brucks", bruck_pack_alltoall, Need::kNotInPlace},
    {Operation::kAlltoall, "MPIR_Alltoall_intra_pairwise", exchange_alltoall, Need::kNotInPlace},
    {Operation::kAlltoall, "MPIR_Alltoall_intra_pairwise_sendrecv_replace", replace_alltoall, Need::kInPlace},
    {Operation::kAlltoall, "MPIR_Alltoall_intra_scattered", scattered_alltoall, Need::kNotInPlace},
    {Operation::kAlltoallv, "MPIR_Alltoallv_intra_pairwise_sendrecv_replace", replace_alltoall, Need::kInPlace},
    {Operation::kAlltoallv, "MPIR_Alltoallv_intra_scattered", scattered_alltoall, Need::kNotInPlace},
    {Operation::kReduceScatter, "MPIR_Reduce_scatter_intra_noncommutative", mirrored_reduce_scatter,
     Need::kEqualBlocks},
    {Operation::kReduceScatter, "MPIR_Reduce_scatter_intra_pairwise", exchange_reduce_scatter, Need::kCommutative,
     kAnyOrder},
    {Operation::kReduceScatter, "MPIR_Reduce_scatter_intra_recursive_doubling", recursive_doubling_reduce_scatter_block,
     Need::kNothing},
    {Operation::kReduceScatter, "MPIR_Reduce_scatter_intra_recursive_halving", halving_reduce_scatter,
     Need::kCommutative, kAnyOrder},
    {Operation::kReduceScatterBlock, "MPIR_Reduce_scatter_block_intra_noncommutative", mirrored_reduce_scatter,
     Need::kEqualBlocks},
    {Operation::kReduceScatterBlock, "MPIR_Reduce_scatter_block_intra_pairwise", exchange_reduce_scatter,
     Need::kCommutative, kAnyOrder},
    {Operation::kReduceScatterBlock, "MPIR_Reduce_scatter_block_intra_recursive_doubling",
     recursive_doubling_reduce_scatter_block, Need::kNothing},
    {Operation::kReduceScatterBlock, "MPIR_Reduce_scatter_block_intra_recursive_halving", halving_reduce_scatter,
     Need::kCommutative, kAnyOrder},
    {Operation::kScan, "MPIR_Scan_intra_recursive_doubling", copying_doubling_scan, Need::kNothing},
    {Operation::kScan, "MPIR_Scan_intra_smp", node_scan, Need::kConsecutiveNodes},
    {Operation::kScan, "MPIDI_Scan_intra_composition_alpha", node_scan, Need::kConsecutiveNodes},
    {Operation::kExscan, "MPIR_Exscan_intra_recursive_doubling", copying_doubling_exscan, Need::kNothing},
    {Operation::kBarrier, "MPIR_Barrier_intra_dissemination", bruck_barrier, Need::kNothing},
    // With k = 2, its value without a variable; 4.2 has it in place of the dissemination.
    {Operation::kBarrier, "MPIR_Barrier_intra_k_dissemination", bruck_barrier, Need::kNothing},
    {Operation::kBarrier, "MPIR_Barrier_intra_smp", node_barrier, Need::kNodes},
    {Operation::kBarrier, "MPIDI_Barrier_intra_composition_alpha", node_barrier, Need::kNodes},
};

}  // namespace

bool MpichAlgorithm::suits(const Collective& c) const {
  const auto ranks = static_cast<unsigned>(c.ranks);
  switch (need) {
    case Need::kNothing:
      return true;
    case Need::kPowerOfTwo:
      return std::has_single_bit(ranks);
    case Need::kBlockForEach:
      return c.commutative && c.count >= std::int64_t{std::bit_floor(ranks)};
    case Need::kCommutative:
      return c.commutative;
    case Need::kInPlace:
      return c.in_place;
    case Need::kNotInPlace:
      return !c.in_place;
    case Need::kNodes:
      return has_mpich_hierarchy(c);
    case Need::kCommutativeOnNodes:
      return c.commutative && has_mpich_hierarchy(c);
    case Need::kConsecutiveNodes:
      return c.commutative && has_consecutive_nodes(c);
    case Need::kEqualBlocks:
      return std::has_single_bit(ranks) &&
             std::all_of(c.counts.begin(), c.counts.end(), [&](auto n) { return n == c.counts.front(); });
  }
  return false;
}

std::span<const MpichAlgorithm> mpich_algorithms() { return kAlgorithms; }

const MpichAlgorithm* find_mpich(Operation operation, std::string_view name) {
  for (const MpichAlgorithm& a : kAlgorithms) {
    if (a.operation == operation && a.name == name) return &a;
  }
  return nullptr;
}

bool has_mpich_hierarchy(const Collective& call) {
  return !call.nodes.empty() && static_cast<int>(node_table(call)->firsts.size()) < call.ranks;
}

bool has_consecutive_nodes(const Collective& call) {
  return has_mpich_hierarchy(call) && node_table(call)->are_consecutive;
}

int num_nodes(const Collective& call) {
  return call.nodes.empty() ? call.ranks : static_cast<int>(node_table(call)->firsts.size());
}

}  // namespace strata::collectives
