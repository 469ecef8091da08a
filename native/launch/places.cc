// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/places.h"

#include <set>
#include <stdexcept>

namespace strata::native {

std::vector<std::vector<int>> ranks_by_node(const Places& places) {
  std::vector<std::vector<int>> ranks(places.nodes.size());
  for (int rank = 0; rank < places.size(); ++rank) ranks[places.ranks[rank].node].push_back(rank);
  return ranks;
}

void number_local_ranks(Places& places) {
  std::vector<int> next(places.nodes.size());
  for (RankPlace& rank : places.ranks) rank.local_rank = next[rank.node]++;
}

void check_places(const Places& places) {
  if (places.ranks.empty()) throw std::invalid_argument("places: no ranks");
  std::set<std::string> hosts;
  for (const NodePlace& node : places.nodes) {
    if (!hosts.insert(node.host).second)
      throw std::invalid_argument("places: two nodes have the host name " + node.host);
  }
  std::vector<int> next(places.nodes.size());
  for (const RankPlace& rank : places.ranks) {
    if (rank.node < 0 || rank.node >= static_cast<int>(places.nodes.size()))
      throw std::invalid_argument("places: there is no node " + std::to_string(rank.node));
    if (rank.local_rank != next[rank.node]++)
      throw std::invalid_argument("places: local ranks are not in the order of ranks");
  }
}

}  // namespace strata::native
