// All ways to deal ranks to nodes, but for the nodes' names.
#pragma once

#include <functional>
#include <vector>

namespace strata::check {

/// Calls `visit` with the node of each rank for every partition of `ranks` into nodes; nodes are numbered in the order
/// of their first ranks (restricted growth strings: as many as Bell's number). All on one node comes first. Returns
/// false where `visit` did, which ends it.
bool for_each_partition(int ranks, const std::function<bool(const std::vector<int>&)>& visit);

/// The same partition with its nodes numbered in the order of their first ranks.
std::vector<int> numbered_in_order(const std::vector<int>& node_of_rank);

}  // namespace strata::check
