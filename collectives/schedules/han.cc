// SPDX-License-Identifier: LGPL-2.1-only
// HAN's barrier, broadcast of one segment, gather, scatter and allgather. For root 1 on nodes {0, 1}, {2, 3}:
//
//   broadcast   1 -> 3 between the nodes; 1 -> 0, 3 -> 2 on the nodes
//   gather      0 -> 1, 2 -> 3 on the nodes; 3 -> 1 two blocks
//   scatter     1 -> 3 two blocks; 1 -> 0, 3 -> 2 on the nodes
//   allgather   gathers to 0 and 2; an allgather of {0, 2}; broadcasts of all blocks on the nodes
//
// If the ranks of the nodes do not follow one another, blocks are copied into the order of the nodes, or out of it.
// Source: mca_coll_han_barrier_intra_simple, ..._bcast_intra, ..._gather_intra_simple, ..._scatter_intra and
// ..._allgather_intra, coll_han_*.c, Open MPI 5.0.7; reductions and longer broadcasts use libnbc.
#include "collectives/schedules/han.h"

#include <algorithm>

#include "collectives/schedules/node_communicators.h"

namespace strata::collectives {
namespace {

constexpr std::int64_t kSegmentBytes = 65536;  // B: han_bcast_segsize, coll_han_component.c
constexpr Buffer kOnNode = Buffer::kFifth, kOfNodes = Buffer::kFourth;

// The two communicators of a rank.
struct Levels {
  const Collective& call;
  const Settings& settings;
  int rank;
  Nodes nodes;
  std::vector<int> by_node;  // all ranks, node by node
  std::vector<int> up;
  int low_rank;

  Levels(const Collective& c, const Settings& s, int r) : call(c), settings(s), rank(r), nodes(c, r) {
    low_rank = place_in(nodes.here(), r);
    for (const auto& of_node : nodes.table().ranks) {
      by_node.insert(by_node.end(), of_node.begin(), of_node.end());
      if (low_rank < static_cast<int>(of_node.size())) up.push_back(of_node[low_rank]);
    }
    std::sort(up.begin(), up.end());
  }

  // The number of `other` on its node.
  int low_rank_of(int other) const { return place_in(nodes.on_node_of(other), other); }
  // Where the rank of this node is that has the same number as the root on its own.
  bool leads(int root_low) const { return low_rank == root_low; }
  int up_root() const { return place_in(up, up_rank_on_node_of(call.root)); }
  int up_rank_on_node_of(int other) const {
    for (const int r : up) {
      if (nodes.node_of(r) == nodes.node_of(other)) return r;
    }
    return up.front();
  }
  std::int64_t block() const { return call.count * static_cast<std::int64_t>(nodes.here().size()); }
  bool are_consecutive() const { return nodes.table().are_consecutive; }

  void on(const std::vector<int>& members, Operation operation, int root, std::int64_t count, bool in_place,
          const PartBuffers& buffers, Steps& steps) const {
    Collective part = part_of(call, operation, root, in_place);
    part.count = count;
    append_part(settings, part, members, rank, buffers, steps);
  }

  // Copies the blocks of all ranks from the order of nodes into that of ranks, or back.
  void reorder(Buffer nodes_order, Buffer ranks_order, bool into_ranks, Steps& steps) const {
    for (std::size_t i = 0; i < by_node.size(); ++i) {
      const Range in_nodes = {nodes_order, static_cast<std::int64_t>(i) * call.count, call.count};
      const Range in_ranks = {ranks_order, by_node[i] * call.count, call.count};
      into_ranks ? steps.copy(in_nodes, in_ranks) : steps.copy(in_ranks, in_nodes);
    }
  }
};

void barrier(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Levels levels(call, settings, rank);
  levels.on(levels.nodes.here(), Operation::kBarrier, 0, 0, false, {}, steps);
  if (levels.leads(0)) levels.on(levels.up, Operation::kBarrier, 0, 0, false, {}, steps);
  levels.on(levels.nodes.here(), Operation::kBarrier, 0, 0, false, {}, steps);
}

void broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Levels levels(call, settings, rank);
  const int root = levels.low_rank_of(call.root);
  if (levels.leads(root)) levels.on(levels.up, Operation::kBcast, levels.up_root(), call.count, false, {}, steps);
  levels.on(levels.nodes.here(), Operation::kBcast, root, call.count, false, {}, steps);
}

void gather(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Levels levels(call, settings, rank);
  const int root = levels.low_rank_of(call.root);
  levels.on(levels.nodes.here(), Operation::kGather, root, call.count, false, {Buffer::kInput, kOnNode}, steps);
  if (!levels.leads(root)) return;
  const Buffer all = levels.are_consecutive() ? Buffer::kOutput : kOfNodes;
  levels.on(levels.up, Operation::kGather, levels.up_root(), levels.block(), false, {kOnNode, all}, steps);
  if (rank == call.root && all == kOfNodes) levels.reorder(kOfNodes, Buffer::kOutput, true, steps);
}

void scatter(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Levels levels(call, settings, rank);
  const int root = levels.low_rank_of(call.root);
  const Buffer all = levels.are_consecutive() ? Buffer::kInput : kOfNodes;
  if (rank == call.root && all == kOfNodes) levels.reorder(kOfNodes, Buffer::kInput, false, steps);
  if (levels.leads(root)) {
    levels.on(levels.up, Operation::kScatter, levels.up_root(), levels.block(), false, {all, kOnNode}, steps);
  }
  const bool in_place = call.in_place && levels.nodes.node_of(rank) == levels.nodes.node_of(call.root);
  levels.on(levels.nodes.here(), Operation::kScatter, root, call.count, in_place, {kOnNode, Buffer::kOutput}, steps);
}

void allgather(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Levels levels(call, settings, rank);
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

Han han_of(const Collective& call) {
  if (call.nodes.empty()) return Han::kNotUsed;
  const auto table = node_table(call);
  const std::vector<std::vector<int>>& ranks = table->ranks;
  std::size_t most = 0;
  bool is_balanced = true;
  for (const auto& of_node : ranks) {
    most = std::max(most, of_node.size());
    is_balanced = is_balanced && of_node.size() == ranks.front().size();
  }
  if (ranks.size() < 2 || most < 2) return Han::kNotUsed;
  if (call.operation == Operation::kBarrier) return Han::kUsed;
  if (!is_balanced) return Han::kNotUsed;
  switch (call.operation) {
    case Operation::kBcast:
      return call.count * call.element_bytes <= kSegmentBytes ? Han::kUsed : Han::kNoSchedule;
    case Operation::kReduce:
    case Operation::kAllreduce:
      return call.commutative ? Han::kNoSchedule : Han::kNotUsed;
    case Operation::kGather:
    case Operation::kScatter:
    case Operation::kAllgather:
      return Han::kUsed;
    default:
      return Han::kNotUsed;
  }
}

Generator find_han(Operation operation) {
  switch (operation) {
    case Operation::kBarrier:
      return barrier;
    case Operation::kBcast:
      return broadcast;
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
