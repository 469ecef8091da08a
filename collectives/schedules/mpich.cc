// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/schedules/mpich.h"

#include <algorithm>
#include <bit>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/node_communicators.h"

namespace strata::collectives {
namespace {

bool always(const Collective&) { return true; }
bool is_power(const Collective& c) { return std::has_single_bit(static_cast<unsigned>(c.ranks)); }
bool has_block_each(const Collective& c) {
  return c.commutative && c.count >= std::int64_t{std::bit_floor(static_cast<unsigned>(c.ranks))};
}
bool is_commutative(const Collective& c) { return c.commutative; }
bool is_in_place(const Collective& c) { return c.in_place; }
bool is_not_in_place(const Collective& c) { return !c.in_place; }
bool has_hierarchy(const Collective& c) { return has_mpich_hierarchy(c); }
bool is_commutative_on_nodes(const Collective& c) { return c.commutative && has_mpich_hierarchy(c); }
bool is_scan_on_nodes(const Collective& c) { return c.commutative && has_consecutive_nodes(c); }
// MPICH leaves it to the user that blocks are equal and the number of ranks a power of two.
bool has_equal_blocks(const Collective& c) {
  return is_power(c) && std::all_of(c.counts.begin(), c.counts.end(), [&](auto n) { return n == c.counts.front(); });
}

constexpr bool kAnyOrder = false;

constexpr MpichAlgorithm kAlgorithms[] = {
    {Operation::kBcast, "MPIR_Bcast_intra_binomial", in_order_binomial_broadcast, always},
    {Operation::kBcast, "MPIR_Bcast_intra_scatter_recursive_doubling_allgather", scatter_doubling_broadcast, always},
    {Operation::kBcast, "MPIR_Bcast_intra_scatter_ring_allgather", scatter_byte_ring_broadcast, always},
    {Operation::kBcast, "MPIR_Bcast_intra_smp", node_broadcast, has_hierarchy},
    {Operation::kBcast, "MPIDI_Bcast_intra_composition_alpha", first_rank_broadcast, has_hierarchy},
    {Operation::kBcast, "MPIDI_Bcast_intra_composition_beta", root_node_broadcast, has_hierarchy},
    {Operation::kReduce, "MPIR_Reduce_intra_binomial", blocking_binomial_reduce, always},
    {Operation::kReduce, "MPIR_Reduce_intra_reduce_scatter_gather", halving_block_reduce, has_block_each, kAnyOrder},
    {Operation::kReduce, "MPIR_Reduce_intra_smp", node_reduce, is_commutative_on_nodes, kAnyOrder},
    {Operation::kReduce, "MPIDI_Reduce_intra_composition_alpha", rank_0_reduce, is_commutative_on_nodes, kAnyOrder},
    {Operation::kReduce, "MPIDI_Reduce_intra_composition_beta", node_reduce, is_commutative_on_nodes, kAnyOrder},
    {Operation::kAllreduce, "MPIR_Allreduce_intra_recursive_doubling", doubling_allreduce, always},
    {Operation::kAllreduce, "MPIR_Allreduce_intra_reduce_scatter_allgather", halving_block_allreduce, has_block_each,
     kAnyOrder},
    {Operation::kAllreduce, "MPIR_Allreduce_intra_smp", node_allreduce, is_commutative_on_nodes, kAnyOrder},
    {Operation::kAllreduce, "MPIDI_Allreduce_intra_composition_alpha", node_allreduce, is_commutative_on_nodes,
     kAnyOrder},
    {Operation::kGather, "MPIR_Gather_intra_binomial", in_place_binomial_gather, always},
    {Operation::kScatter, "MPIR_Scatter_intra_binomial", own_last_binomial_scatter, always},
    {Operation::kAllgather, "MPIR_Allgather_intra_brucks", bruck_buffer_allgather, always},
    {Operation::kAllgather, "MPIR_Allgather_intra_recursive_doubling", recursive_doubling_allgather, is_power},
    {Operation::kAllgather, "MPIR_Allgather_intra_ring", ring_allgather, always},
    {Operation::kAllgatherv, "MPIR_Allgatherv_intra_brucks", bruck_buffer_allgatherv, always},
    {Operation::kAllgatherv, "MPIR_Allgatherv_intra_recursive_doubling", doubling_allgatherv, is_power},
    {Operation::kAllgatherv, "MPIR_Allgatherv_intra_ring", pipelined_ring_allgatherv, always},
    {Operation::kAlltoall, "MPIR_Alltoall_intra_brucks", bruck_pack_alltoall, is_not_in_place},
    {Operation::kAlltoall, "MPIR_Alltoall_intra_pairwise", exchange_alltoall, is_not_in_place},
    {Operation::kAlltoall, "MPIR_Alltoall_intra_pairwise_sendrecv_replace", replace_alltoall, is_in_place},
    {Operation::kAlltoall, "MPIR_Alltoall_intra_scattered", scattered_alltoall, is_not_in_place},
    {Operation::kAlltoallv, "MPIR_Alltoallv_intra_pairwise_sendrecv_replace", replace_alltoall, is_in_place},
    {Operation::kAlltoallv, "MPIR_Alltoallv_intra_scattered", scattered_alltoall, is_not_in_place},
    {Operation::kReduceScatter, "MPIR_Reduce_scatter_intra_noncommutative", mirrored_reduce_scatter, has_equal_blocks},
    {Operation::kReduceScatter, "MPIR_Reduce_scatter_intra_pairwise", exchange_reduce_scatter, is_commutative,
     kAnyOrder},
    {Operation::kReduceScatter, "MPIR_Reduce_scatter_intra_recursive_doubling", recursive_doubling_reduce_scatter_block,
     always},
    {Operation::kReduceScatter, "MPIR_Reduce_scatter_intra_recursive_halving", halving_reduce_scatter, is_commutative,
     kAnyOrder},
    {Operation::kReduceScatterBlock, "MPIR_Reduce_scatter_block_intra_noncommutative", mirrored_reduce_scatter,
     has_equal_blocks},
    {Operation::kReduceScatterBlock, "MPIR_Reduce_scatter_block_intra_pairwise", exchange_reduce_scatter,
     is_commutative, kAnyOrder},
    {Operation::kReduceScatterBlock, "MPIR_Reduce_scatter_block_intra_recursive_doubling",
     recursive_doubling_reduce_scatter_block, always},
    {Operation::kReduceScatterBlock, "MPIR_Reduce_scatter_block_intra_recursive_halving", halving_reduce_scatter,
     is_commutative, kAnyOrder},
    {Operation::kScan, "MPIR_Scan_intra_recursive_doubling", copying_doubling_scan, always},
    {Operation::kScan, "MPIR_Scan_intra_smp", node_scan, is_scan_on_nodes},
    {Operation::kScan, "MPIDI_Scan_intra_composition_alpha", node_scan, is_scan_on_nodes},
    {Operation::kExscan, "MPIR_Exscan_intra_recursive_doubling", copying_doubling_exscan, always},
    {Operation::kBarrier, "MPIR_Barrier_intra_dissemination", bruck_barrier, always},
    // With k = 2, its value without a variable; 4.2 has it in place of the dissemination.
    {Operation::kBarrier, "MPIR_Barrier_intra_k_dissemination", bruck_barrier, always},
    {Operation::kBarrier, "MPIR_Barrier_intra_smp", node_barrier, has_hierarchy},
    {Operation::kBarrier, "MPIDI_Barrier_intra_composition_alpha", node_barrier, has_hierarchy},
};

}  // namespace

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
