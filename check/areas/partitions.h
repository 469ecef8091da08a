// SPDX-License-Identifier: LGPL-2.1-only
// All ways to deal ranks to nodes, up to the names of the nodes.
#pragma once

#include <functional>
#include <vector>

namespace strata::check {

/// Calls `visit` with the node of each rank for every partition of `ranks` into nodes; nodes are numbered in the order
/// of their first ranks (restricted growth strings; there are Bell's number of them). All ranks on one node come first.
/// Ends and returns false when `visit` does.
bool for_each_partition(int ranks, const std::function<bool(const std::vector<int>&)>& visit);

/// The same partition with its nodes numbered in the order of their first ranks.
std::vector<int> numbered_in_order(const std::vector<int>& node_of_rank);

}  // namespace strata::check
