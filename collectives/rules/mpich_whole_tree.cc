// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/mpich_whole_tree.h"

#include <string>
#include <utility>

#include "collectives/rules/csel_outline.h"
#include "collectives/rules/mpich_decisions.h"

namespace strata::collectives {
namespace {

// `= name` is the algorithm without MPIR_Bcast_ (csel_outline.h). A collective with `inter` has a branch for one group
// in mpich_decisions(), and here that for two.
constexpr const char* kRest = R"(
collective=bcast inter
  = inter_remote_send_local_bcast
collective=allreduce inter
  = inter_reduce_exchange_bcast
collective=allgather inter
  = inter_local_gather_remote_bcast
collective=allgatherv inter
  = inter_remote_gather_local_bcast
collective=reduce inter
  = inter_local_reduce_remote_send
collective=reduce_scatter inter
  = inter_remote_reduce_local_scatter
collective=reduce_scatter_block inter
  = inter_remote_reduce_local_scatter
collective=gather inter
  total_msg_size<2048
    = inter_local_gather_remote_send
  total_msg_size=any
    = inter_linear
collective=scatter inter
  total_msg_size<2048
    = inter_remote_send_local_scatter
  total_msg_size=any
    = inter_linear
collective=gatherv
  = allcomm_linear
collective=scatterv
  = allcomm_linear
collective=barrier inter
  = inter_bcast
collective=alltoall inter
  = inter_pairwise_exchange
collective=alltoallv inter
  = inter_pairwise_exchange
collective=alltoallw
  comm_type=intra
    is_sendbuf_inplace=yes
      = intra_pairwise_sendrecv_replace
    is_sendbuf_inplace=no
      = intra_scattered
  comm_type=inter
    = inter_pairwise_exchange
collective=neighbor_allgather
  = allcomm_nb
collective=neighbor_allgatherv
  = allcomm_nb
collective=neighbor_alltoall
  = allcomm_nb
collective=neighbor_alltoallv
  = allcomm_nb
collective=neighbor_alltoallw
  = allcomm_nb
collective=ibarrier
  comm_type=intra
    = intra_sched_recursive_doubling
  comm_type=inter
    = inter_sched_bcast
collective=iallreduce
  comm_type=intra
    avg_msg_size<=2048
      = intra_sched_recursive_doubling
    avg_msg_size=any
      is_op_built_in=no
        = intra_sched_recursive_doubling
      is_op_built_in=yes
        count<pow2
          = intra_sched_recursive_doubling
        count=any
          = intra_sched_reduce_scatter_allgather
  comm_type=inter
    = inter_sched_remote_reduce_local_bcast
collective=iallgather
  comm_type=intra
    comm_size=pow2
      total_msg_size<524288
        = intra_sched_recursive_doubling
      total_msg_size=any
        = intra_sched_ring
    comm_size=any
      total_msg_size<81920
        = intra_sched_brucks
      total_msg_size=any
        = intra_sched_ring
  comm_type=inter
    = inter_sched_local_gather_remote_bcast
collective=iallgatherv
  comm_type=intra
    comm_size=pow2
      total_msg_size<524288
        = intra_sched_recursive_doubling
      total_msg_size=any
        = intra_sched_ring
    comm_size=any
      total_msg_size<81920
        = intra_sched_brucks
      total_msg_size=any
        = intra_sched_ring
  comm_type=inter
    = inter_sched_remote_gather_local_bcast
collective=ibcast
  comm_type=intra
    comm_hierarchy=parent
      = intra_sched_smp
    comm_hierarchy=any
      comm_size<8
        avg_msg_size=any
          = intra_sched_binomial
      comm_size=pow2
        avg_msg_size<12288
          = intra_sched_binomial
        avg_msg_size<524288
          = intra_sched_scatter_recursive_doubling_allgather
        avg_msg_size=any
          = intra_sched_scatter_ring_allgather
      comm_size=any
        avg_msg_size<12288
          = intra_sched_binomial
        avg_msg_size=any
          = intra_sched_scatter_ring_allgather
  comm_type=inter
    = inter_sched_flat
collective=ireduce
  comm_type=intra
    comm_hierarchy=parent
      is_commutative=yes
        = intra_sched_smp
      is_commutative=no
        = intra_sched_binomial
    comm_hierarchy=any
      avg_msg_size<=2048
        = intra_sched_binomial
      avg_msg_size=any
        is_op_built_in=yes
          count<pow2
            = intra_sched_binomial
          count=any
            = intra_sched_reduce_scatter_gather
        is_op_built_in=no
          = intra_sched_binomial
  comm_type=inter
    = inter_sched_local_reduce_remote_send
collective=ireduce_scatter
  comm_type=intra
    is_commutative=yes
      total_msg_size<524288
        = intra_sched_recursive_halving
      total_msg_size=any
        = intra_sched_pairwise
    is_commutative=no
      is_block_regular=yes
        comm_size=pow2
          = intra_sched_noncommutative
        comm_size=any
          = intra_sched_recursive_doubling
      is_block_regular=no
        = intra_sched_recursive_doubling
  comm_type=inter
    = inter_sched_remote_reduce_local_scatterv
collective=igather
  comm_type=intra
    = intra_sched_binomial
  comm_type=inter
    total_msg_size<2048
      = inter_sched_short
    total_msg_size=any
      = inter_sched_long
collective=iscatter
  comm_type=intra
    = intra_sched_binomial
  comm_type=inter
    total_msg_size<2048
      = inter_sched_remote_send_local_scatter
    total_msg_size=any
      = inter_sched_linear
collective=igatherv
  = allcomm_sched_linear
collective=iscatterv
  = allcomm_sched_linear
collective=iexscan
  = intra_sched_recursive_doubling
collective=ialltoall
  comm_type=intra
    is_sendbuf_inplace=yes
      = intra_sched_inplace
    is_sendbuf_inplace=no
      comm_size<8
        avg_msg_size<=32768
          = intra_sched_permuted_sendrecv
        avg_msg_size=any
          = intra_sched_pairwise
      comm_size=any
        avg_msg_size<=2048
          = intra_sched_brucks
        avg_msg_size<=32768
          = intra_sched_permuted_sendrecv
        avg_msg_size=any
          = intra_sched_pairwise
  comm_type=inter
    = inter_sched_pairwise_exchange
collective=ialltoallv
  comm_type=intra
    is_sendbuf_inplace=yes
      = intra_sched_inplace
    is_sendbuf_inplace=no
      = intra_sched_blocked
  comm_type=inter
    = inter_sched_pairwise_exchange
collective=ialltoallw
  comm_type=intra
    is_sendbuf_inplace=yes
      = intra_sched_inplace
    is_sendbuf_inplace=no
      = intra_sched_blocked
  comm_type=inter
    = inter_sched_pairwise_exchange
collective=ireduce_scatter_block
  comm_type=intra
    is_commutative=yes
      total_msg_size<524288
        = intra_sched_recursive_halving
      total_msg_size=any
        = intra_sched_pairwise
    is_commutative=no
      comm_size=pow2
        = intra_sched_noncommutative
      comm_size=any
        = intra_sched_recursive_doubling
  comm_type=inter
    = inter_sched_remote_reduce_local_scatterv
collective=iscan
  comm_hierarchy=parent
    = intra_sched_smp
  comm_hierarchy=any
    = intra_sched_recursive_doubling
collective=ineighbor_allgather
  = allcomm_sched_linear
collective=ineighbor_allgatherv
  = allcomm_sched_linear
collective=ineighbor_alltoall
  = allcomm_sched_linear
collective=ineighbor_alltoallv
  = allcomm_sched_linear
collective=ineighbor_alltoallw
  = allcomm_sched_linear
)";
constexpr std::string_view kInter = " inter";
constexpr const char* kKDissemination = "algorithm=MPIR_Barrier_intra_k_dissemination";

std::string algorithm_key(const std::string& collective, const std::string& name) {
  return "algorithm=MPIR_" + collective + "_" + name;
}

// The parameter of an algorithm of 4.2.
void set_parameters(std::vector<CselNode>& tree) {
  for (CselNode& node : tree) {
    if (node.key == kKDissemination) node.children = {{"k=2"}};
    set_parameters(node.children);
  }
}

}  // namespace

std::vector<CselNode> mpich_whole_tree(const Library& library) {
  std::vector<CselNode> tree;
  for (const CselNode& of_one_group : mpich_decisions(library)) {
    tree.push_back({of_one_group.key, {{"comm_type=intra", of_one_group.children}}});
  }
  for (CselNode& node : read_outline(kRest, algorithm_key)) {
    if (!node.key.ends_with(kInter)) {
      tree.push_back(std::move(node));
      continue;
    }
    node.key.resize(node.key.size() - kInter.size());
    for (CselNode& known : tree) {
      if (known.key == node.key) known.children.push_back({"comm_type=inter", node.children});
    }
  }
  set_parameters(tree);
  return tree;
}

}  // namespace strata::collectives
