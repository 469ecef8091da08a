// SPDX-License-Identifier: LGPL-2.1-only
// Slow implementations of mapping, for comparison with mpi_ext/reorder. They do not use its place trees: the distances
// between processes are a table, and the bytes between application ranks are a list.
#pragma once

#include <functional>
#include <vector>

#include "records/matrix/pattern.h"

namespace strata::check {

/// The number of edges in the machine's tree between any two processes (old ranks).
class HopTable {
 public:
  HopTable() = default;
  HopTable(int processes, const std::function<int(int, int)>& hops);
  int processes() const { return processes_; }
  int operator()(int a, int b) const { return hops_[static_cast<size_t>(a) * processes_ + b]; }

 private:
  int processes_ = 0;
  std::vector<int> hops_;
};

/// The number of edges between two vertices of a tree, by walking up from both to the root.
int slow_hops(const std::vector<int>& parent, int a, int b);

/// Hop-bytes as `strata map` defines them: the sum over ordered pairs of processes a and b of the bytes between
/// application ranks new_rank[a] and new_rank[b], times the edges between a and b. O(processes^2).
double slow_hop_bytes(const std::vector<Flow>& flows, const HopTable& hops, const std::vector<int>& new_rank);

/// The minimum over all mappings: a depth-first search over all permutations, cut off when a partial mapping is not
/// better than the best one. O(processes!).
double least_hop_bytes(const std::vector<Flow>& flows, const HopTable& hops);

/// Round-robin: in each turn, each node in order gives the next rank to its next process. The processes of a node are
/// sorted by `place`, then by old rank.
std::vector<int> slow_round_robin(const std::vector<int>& place, const std::vector<int>& node);

}  // namespace strata::check
