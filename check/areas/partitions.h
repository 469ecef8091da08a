// SPDX-License-Identifier: LGPL-2.1-only
// All ways to distribute ranks over nodes, up to the names of the nodes.
#pragma once

#include <functional>
#include <vector>

namespace strata::check {

/// Calls `visit` for every partition of `ranks` into nodes, with the node of each rank. Nodes are numbered in the order
/// of their first ranks (restricted growth strings; their number is Bell's number). The first partition has all ranks
/// on one node. Stops and returns false if `visit` returns false.
bool for_each_partition(int ranks, const std::function<bool(const std::vector<int>&)>& visit);

/// The same partition with its nodes numbered in the order of their first ranks.
std::vector<int> numbered_in_order(const std::vector<int>& node_of_rank);

}  // namespace strata::check
