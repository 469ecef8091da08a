// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/mpich_decisions.h"

#include <algorithm>
#include <iterator>

#include "collectives/rules/csel_look_up.h"
#include "collectives/rules/csel_outline.h"

namespace strata::collectives {
namespace {

// `= name` is the algorithm without MPIR_Bcast_intra_ (csel_outline.h).
constexpr const char* kAlgorithms = R"(
collective=bcast
  comm_size<8
    = binomial
  comm_size=pow2
    avg_msg_size<=12288
      = binomial
    avg_msg_size<=524288
      = scatter_recursive_doubling_allgather
    avg_msg_size=any
      = scatter_ring_allgather
  comm_size=any
    avg_msg_size<=12288
      = binomial
    avg_msg_size=any
      = scatter_ring_allgather
collective=allreduce
  avg_msg_size<=8
    = recursive_doubling
  avg_msg_size=any
    is_op_built_in=no
      = recursive_doubling
    is_op_built_in=yes
      count<pow2
        = recursive_doubling
      count=any
        = reduce_scatter_allgather
collective=reduce
  avg_msg_size<=2048
    = binomial
  avg_msg_size=any
    is_op_built_in=yes
      count<pow2
        = binomial
      count=any
        = reduce_scatter_gather
    is_op_built_in=no
      = binomial
collective=allgather
  comm_size=pow2
    total_msg_size<524288
      = recursive_doubling
    total_msg_size=any
      = ring
  comm_size=any
    total_msg_size<81920
      = brucks
    total_msg_size=any
      = ring
collective=allgatherv
  comm_size=pow2
    total_msg_size<524288
      = recursive_doubling
    total_msg_size=any
      = ring
  comm_size=any
    total_msg_size<81920
      = brucks
    total_msg_size=any
      = ring
collective=reduce_scatter
  is_commutative=yes
    total_msg_size<524288
      = recursive_halving
    total_msg_size=any
      = pairwise
  is_commutative=no
    is_block_regular=yes
      comm_size=pow2
        = noncommutative
      comm_size=any
        = recursive_doubling
    is_block_regular=no
      = recursive_doubling
collective=reduce_scatter_block
  is_commutative=yes
    total_msg_size<524288
      = recursive_halving
    total_msg_size=any
      = pairwise
  is_commutative=no
    comm_size=pow2
      = noncommutative
    comm_size=any
      = recursive_doubling
collective=gather
  = binomial
collective=scatter
  = binomial
collective=scan
  is_node_consecutive=yes
    = smp
  is_node_consecutive=no
    = recursive_doubling
collective=exscan
  = recursive_doubling
collective=alltoall
  is_sendbuf_inplace=yes
    = pairwise_sendrecv_replace
  is_sendbuf_inplace=no
    comm_size<8
      avg_msg_size<=32768
        = scattered
      avg_msg_size=any
        = pairwise
    comm_size=any
      avg_msg_size<=256
        = brucks
      avg_msg_size<=32768
        = scattered
      avg_msg_size=any
        = pairwise
collective=alltoallv
  is_sendbuf_inplace=yes
    = pairwise_sendrecv_replace
  is_sendbuf_inplace=no
    = scattered
collective=barrier
  comm_hierarchy=parent
    = smp
  comm_hierarchy=any
)";
constexpr const char* kBarrier40 = "    = dissemination\n";
constexpr const char* kBarrier42 = "    = k_dissemination\n";  // with k=2, which is the same

// `= name` is a composition without MPIDI_Bcast_intra_composition_. Collectives that are not here are never composed.
constexpr const char* kCompositions = R"(
collective=bcast
  comm_hierarchy=parent
    comm_size<8
      = alpha
    comm_size=pow2
      avg_msg_size<12288
        = alpha
      avg_msg_size<524288
        = beta
      avg_msg_size=any
        = gamma
    comm_size=any
      avg_msg_size<12288
        = alpha
      avg_msg_size=any
        = gamma
  comm_hierarchy=any
    = gamma
collective=allreduce
  comm_size=node_comm_size
    = gamma
  comm_size=any
    comm_hierarchy=parent
      is_commutative=yes
        = alpha
      is_commutative=no
        = beta
    comm_hierarchy=any
      = beta
collective=reduce
  comm_hierarchy=parent
    is_commutative=yes
      avg_msg_size<=2048
        = beta
      avg_msg_size=any
        = alpha
    is_commutative=no
      = gamma
  comm_hierarchy=any
    = gamma
collective=barrier
  comm_hierarchy=parent
    = alpha
  comm_hierarchy=any
    = beta
collective=scan
  is_node_consecutive=yes
    = alpha
  is_node_consecutive=no
    = beta
)";

// Compositions that only call the collective of the network, which is MPICH's own with UCX. A build with UCX has no
// shared memory. Source: src/mpid/ch4/src/ch4_coll_impl.h and src/mpid/ch4/subconfigure.m4, MPICH 4.0.2 and 4.2.2.
constexpr std::string_view kPassThrough[] = {
    "MPIDI_Bcast_intra_composition_gamma",    "MPIDI_Reduce_intra_composition_gamma",
    "MPIDI_Allreduce_intra_composition_beta", "MPIDI_Allreduce_intra_composition_gamma",
    "MPIDI_Scan_intra_composition_beta",      "MPIDI_Barrier_intra_composition_beta"};

std::string algorithm_key(const std::string& collective, const std::string& name) {
  return "algorithm=MPIR_" + collective + "_intra_" + name;
}
std::string composition_key(const std::string& collective, const std::string& name) {
  return "composition=MPIDI_" + collective + "_intra_composition_" + name;
}

std::string why_of(const std::vector<const CselNode*>& path) {
  std::string why;
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {  // between the collective and the leaf
    if (path[i]->key.ends_with("=any")) continue;
    why += (why.empty() ? "" : ", ") + path[i]->key;
  }
  return why;
}

Decision decision_of(const std::vector<const CselNode*>& path) {
  const std::string& leaf = path.back()->key;
  Decision d{Decision::By::kFixed, {}, leaf.substr(leaf.find('=') + 1), "", 0, why_of(path)};
  d.choice.name = d.name;
  return d;
}

}  // namespace

const std::vector<CselNode>& mpich_compositions() {
  static const std::vector<CselNode> tree = read_outline(kCompositions, composition_key);
  return tree;
}

const std::vector<CselNode>& mpich_decisions(const Library& library) {
  static const std::vector<CselNode> of_40 = read_outline(std::string(kAlgorithms) + kBarrier40, algorithm_key);
  static const std::vector<CselNode> of_42 = read_outline(std::string(kAlgorithms) + kBarrier42, algorithm_key);
  return library.from(4, 2) ? of_42 : of_40;
}

bool is_ever_composed(Operation operation) {
  const std::string key = std::string("collective=") + name_of(operation);
  const std::vector<CselNode>& all = mpich_compositions();
  return std::any_of(all.begin(), all.end(), [&](const CselNode& node) { return node.key == key; });
}

bool is_mpich_pass_through(std::string_view name) {
  return std::find(std::begin(kPassThrough), std::end(kPassThrough), name) != std::end(kPassThrough);
}

Decision look_up_mpich(const Library& library, const Call& call, const RuleFile* rules, bool composes) {
  const auto composed = find_path(mpich_compositions(), library, call);
  if (composes && !composed.empty()) {
    Decision d = decision_of(composed);
    if (!is_mpich_pass_through(d.name)) return d;
  }
  if (rules != nullptr) return look_up(*rules, library, call);
  return decision_of(find_path(mpich_decisions(library), library, call));
}

}  // namespace strata::collectives
