// SPDX-License-Identifier: LGPL-2.1-only
// The communicators that MPICH makes of the nodes: the ranks of each node, and the first rank of each node. For
// example, of ranks 0 to 5 on nodes 0, 1, 0, 1, 2, 2: {0, 2}, {1, 3}, {4, 5}, and {0, 1, 4}. They are the same for node
// numbers 7, 3, 7, 3, 5, 5, because nodes are in the order of their first ranks.
//
// Source: MPIR_Comm_create_subcomms, src/mpi/comm/commutil.c, and src/util/mpir_localproc.c, MPICH 4.0.2.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collectives/schedules/collective.h"

namespace strata::collectives {

/// The nodes of a call, the same for all of its ranks.
struct NodeTable {
  std::vector<int> numbers;             // by rank, as the call has them
  std::vector<int> nodes;               // by rank: its node's place in the order of first ranks
  std::vector<int> firsts;              // by node
  std::vector<std::vector<int>> ranks;  // by node
  bool are_consecutive = true;          // the ranks of each node

  explicit NodeTable(std::vector<int> node_numbers) : numbers(std::move(node_numbers)) {
    std::unordered_map<int, int> places;
    for (const int number : numbers) {
      const auto rank = static_cast<int>(nodes.size());
      const auto [place, is_new] = places.emplace(number, places.size());
      if (is_new) {
        firsts.push_back(rank);
        ranks.emplace_back();
      }
      are_consecutive = are_consecutive && (rank == 0 || place->second >= nodes.back());
      nodes.push_back(place->second);
      ranks[place->second].push_back(rank);
    }
  }
};

/// The last table is kept, because the ranks of a call need the same one.
inline std::shared_ptr<const NodeTable> node_table(const Collective& call) {
  thread_local std::shared_ptr<const NodeTable> last;
  if (last != nullptr && !call.nodes.empty() && last->numbers == call.nodes) return last;
  std::vector<int> numbers = call.nodes;
  if (numbers.empty()) {
    numbers.resize(call.ranks);
    std::iota(numbers.begin(), numbers.end(), 0);
  }
  return last = std::make_shared<const NodeTable>(std::move(numbers));
}

/// The nodes as a rank sees them.
class Nodes {
 public:
  Nodes(const Collective& call, int rank) : table_(node_table(call)), rank_(rank) {}

  const NodeTable& table() const { return *table_; }
  const std::vector<int>& firsts() const { return table_->firsts; }
  const std::vector<int>& here() const { return on_node_of(rank_); }  // the ranks on this rank's node
  const std::vector<int>& on_node_of(int rank) const { return table_->ranks[node_of(rank)]; }
  bool is_alone() const { return here().size() == 1; }
  int node_of(int rank) const { return table_->nodes[rank]; }
  bool is_first(int rank) const { return firsts()[node_of(rank)] == rank; }

 private:
  std::shared_ptr<const NodeTable> table_;
  int rank_;
};

/// Where the input and the output of a part of a collective are.
struct PartBuffers {
  Buffer input = Buffer::kInput, output = Buffer::kOutput;
  bool is_bytes = false;                           // a message of the algorithm itself, not of the call's elements
  std::int64_t input_first = 0, output_first = 0;  // their first elements in these buffers

  Range operator()(Range range) const {
    if (range.in == Buffer::kInput) {
      range.in = input;
      range.first += input_first;
    } else if (range.in == Buffer::kOutput) {
      range.in = output;
      range.first += output_first;
    }
    range.is_bytes = range.is_bytes || is_bytes;
    return range;
  }
};

inline int place_in(const std::vector<int>& ranks, int rank) {
  return static_cast<int>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

/// Appends what `rank`, one of `members`, does in the collective `part` of these ranks, as the library chooses it.
/// `part.root`: the place in `members`. A rank alone does nothing.
inline void append_part(const Settings& settings, Collective part, const std::vector<int>& members, int rank,
                        const PartBuffers& buffers, Steps& steps) {
  if (members.size() < 2) return;
  part.ranks = static_cast<int>(members.size());
  part.nodes.clear();
  Steps own;
  settings.part(part, place_in(members, rank), own);
  steps.append(own, buffers, [&](int peer) { return members[peer]; });
}

/// A part of `call` without its nodes.
inline Collective part_of(const Collective& call, Operation operation, int root = 0, bool in_place = false) {
  return {operation,        call.ranks, root, call.count, call.element_bytes,
          call.commutative, in_place,   {},   {},         call.built_in};
}

}  // namespace strata::collectives
