// SPDX-License-Identifier: LGPL-2.1-only
// Slow readings of mapping, to compare the fast code of mpi_ext/reorder with. They do not use its place trees: the
// distances between processes are a table, the bytes between application ranks a list.
#pragma once

#include <functional>
#include <vector>

#include "records/matrix/pattern.h"

namespace strata::check {

/// Edges of the machine's tree between any two processes (old ranks).
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

/// Edges between two vertices of a tree, by walking up from both to the root.
int slow_hops(const std::vector<int>& parent, int a, int b);

/// Hop-bytes as `strata map` defines them: over ordered pairs of processes, the bytes between the application's ranks
/// new_rank[a] and new_rank[b] times the edges between the processes a and b. O(processes^2).
double slow_hop_bytes(const std::vector<Flow>& flows, const HopTable& hops, const std::vector<int>& new_rank);

/// The fewest of all mappings: depth first over all permutations, cut off where a part is no better than the best.
/// O(processes!).
double least_hop_bytes(const std::vector<Flow>& flows, const HopTable& hops);

/// Round-robin read slowly: turn after turn each node in order gives the next rank to its next process; on a node they
/// are in the order of `place`, equal places in that of old ranks.
std::vector<int> slow_round_robin(const std::vector<int>& place, const std::vector<int>& node);

}  // namespace strata::check
