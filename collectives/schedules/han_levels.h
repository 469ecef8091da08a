// SPDX-License-Identifier: LGPL-2.1-only
// The two communicators of a rank in HAN (han.h). For example, rank 2 on nodes {0, 1}, {2, 3} has `low` {2, 3} and `up`
// {0, 2}.
#pragma once

#include <algorithm>
#include <vector>

#include "collectives/schedules/node_communicators.h"

namespace strata::collectives {

struct HanLevels {
  const Collective& call;
  const Settings& settings;
  int rank;
  Nodes nodes;
  std::vector<int> by_node;  // all ranks, node by node
  std::vector<int> up;
  int low_rank;

  HanLevels(const Collective& c, const Settings& s, int r) : call(c), settings(s), rank(r), nodes(c, r) {
    low_rank = place_in(nodes.here(), r);
    for (const auto& of_node : nodes.table().ranks) {
      by_node.insert(by_node.end(), of_node.begin(), of_node.end());
      if (low_rank < static_cast<int>(of_node.size())) up.push_back(of_node[low_rank]);
    }
    std::sort(up.begin(), up.end());
  }

  const std::vector<int>& low() const { return nodes.here(); }
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
  bool is_on_node_of(int other) const { return nodes.node_of(rank) == nodes.node_of(other); }
  std::int64_t block() const { return call.count * static_cast<std::int64_t>(nodes.here().size()); }
  bool are_consecutive() const { return nodes.table().are_consecutive; }

  // Appends a blocking collective of `members`.
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

}  // namespace strata::collectives
