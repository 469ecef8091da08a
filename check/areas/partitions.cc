// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/partitions.h"

#include <map>

namespace strata::check {
namespace {

bool deal(std::vector<int>& nodes, size_t rank, int used, const std::function<bool(const std::vector<int>&)>& visit) {
  if (rank == nodes.size()) return visit(nodes);
  for (int node = 0; node <= used; ++node) {
    nodes[rank] = node;
    if (!deal(nodes, rank + 1, node == used ? used + 1 : used, visit)) return false;
  }
  return true;
}

}  // namespace

bool for_each_partition(int ranks, const std::function<bool(const std::vector<int>&)>& visit) {
  std::vector<int> nodes(ranks);
  return deal(nodes, 0, 0, visit);
}

std::vector<int> numbered_in_order(const std::vector<int>& node_of_rank) {
  std::map<int, int> names;
  std::vector<int> numbered;
  for (const int node : node_of_rank) numbered.push_back(names.try_emplace(node, names.size()).first->second);
  return numbered;
}

}  // namespace strata::check
