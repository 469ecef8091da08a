// SPDX-License-Identifier: LGPL-2.1-only
// HAN's barrier, gather, scatter and allgather; the others are tasks (han_tasks.h). For root 1 on nodes {0, 1}, {2, 3}:
//
//   gather      0 -> 1, 2 -> 3 on the nodes; 3 -> 1 two blocks
//   scatter     1 -> 3 two blocks; 1 -> 0, 3 -> 2 on the nodes
//   allgather   gathers to 0 and 2; an allgather of {0, 2}; broadcasts of all blocks on the nodes
//
// If the ranks of the nodes do not follow one another, blocks are copied into the order of the nodes, or out of it.
// Source: mca_coll_han_barrier_intra_simple, ..._gather_intra_simple, ..._scatter_intra and ..._allgather_intra,
// coll_han_*.c, Open MPI 5.0.7.
#include "collectives/schedules/han.h"

#include <algorithm>

#include "collectives/schedules/han_levels.h"
#include "collectives/schedules/han_tasks.h"

namespace strata::collectives {
namespace {

constexpr Buffer kOnNode = Buffer::kFifth, kOfNodes = Buffer::kFourth;

void barrier(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const HanLevels levels(call, settings, rank);
  levels.on(levels.nodes.here(), Operation::kBarrier, 0, 0, false, {}, steps);
  if (levels.leads(0)) levels.on(levels.up, Operation::kBarrier, 0, 0, false, {}, steps);
  levels.on(levels.nodes.here(), Operation::kBarrier, 0, 0, false, {}, steps);
}

void in_tasks(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  append_tasks(han_tasks(call, settings, rank), steps);
}

void gather(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const HanLevels levels(call, settings, rank);
  const int root = levels.low_rank_of(call.root);
  levels.on(levels.nodes.here(), Operation::kGather, root, call.count, false, {Buffer::kInput, kOnNode}, steps);
  if (!levels.leads(root)) return;
  const Buffer all = levels.are_consecutive() ? Buffer::kOutput : kOfNodes;
  levels.on(levels.up, Operation::kGather, levels.up_root(), levels.block(), false, {kOnNode, all}, steps);
  if (rank == call.root && all == kOfNodes) levels.reorder(kOfNodes, Buffer::kOutput, true, steps);
}

void scatter(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const HanLevels levels(call, settings, rank);
  const int root = levels.low_rank_of(call.root);
  const Buffer all = levels.are_consecutive() ? Buffer::kInput : kOfNodes;
  if (rank == call.root && all == kOfNodes) levels.reorder(kOfNodes, Buffer::kInput, false, steps);
  if (levels.leads(root)) {
    levels.on(levels.up, Operation::kScatter, levels.up_root(), levels.block(), false, {all, kOnNode}, steps);
  }
  const bool in_place = call.in_place && levels.is_on_node_of(call.root);
  levels.on(levels.nodes.here(), Operation::kScatter, root, call.count, in_place, {kOnNode, Buffer::kOutput}, steps);
}

void allgather(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const HanLevels levels(call, settings, rank);
  const bool leads = levels.leads(0);
  if (call.in_place && leads) steps.copy({Buffer::kInput, 0, call.count}, {kOnNode, 0, call.count});
  levels.on(levels.nodes.here(), Operation::kGather, 0, call.count, call.in_place, {Buffer::kInput, kOnNode}, steps);
  if (leads) {
    const Buffer all = levels.are_consecutive() ? Buffer::kOutput : kOfNodes;
    levels.on(levels.up, Operation::kAllgather, 0, levels.block(), false, {kOnNode, all}, steps);
    if (all == kOfNodes) levels.reorder(kOfNodes, Buffer::kOutput, true, steps);
  }
  levels.on(levels.nodes.here(), Operation::kBcast, 0, call.count * call.ranks, false, {}, steps);
}

}  // namespace

bool han_does(const Collective& call) {
  if (call.nodes.empty()) return false;
  const auto table = node_table(call);
  const std::vector<std::vector<int>>& ranks = table->ranks;
  std::size_t most = 0;
  bool is_balanced = true;
  for (const auto& of_node : ranks) {
    most = std::max(most, of_node.size());
    is_balanced = is_balanced && of_node.size() == ranks.front().size();
  }
  if (ranks.size() < 2 || most < 2) return false;
  switch (call.operation) {
    case Operation::kBarrier:
      return true;
    case Operation::kAllreduce:
      return call.commutative;
    case Operation::kReduce:
      return is_balanced && call.commutative;
    case Operation::kBcast:
    case Operation::kGather:
    case Operation::kScatter:
    case Operation::kAllgather:
      return is_balanced;
    default:
      return false;
  }
}

bool han_has_segments(Operation operation) {
  return operation == Operation::kBcast || operation == Operation::kReduce || operation == Operation::kAllreduce;
}

Generator find_han(Operation operation) {
  switch (operation) {
    case Operation::kBarrier:
      return barrier;
    case Operation::kBcast:
    case Operation::kReduce:
    case Operation::kAllreduce:
      return in_tasks;
    case Operation::kGather:
      return gather;
    case Operation::kScatter:
      return scatter;
    case Operation::kAllgather:
      return allgather;
    default:
      return nullptr;
  }
}

}  // namespace strata::collectives
