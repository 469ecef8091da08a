// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/further_places.h"

#include <algorithm>
#include <set>

namespace strata {
namespace {

bool same(const Binding& a, const Binding& b) { return a.node == b.node && a.core == b.core; }

// The mapping of more ranks, if it begins with these.
std::vector<Binding> continued(const Topology& topology, const std::vector<Binding>& ranks,
                               const PlacementOptions& options, int count) {
  const auto placed = static_cast<int>(ranks.size());
  const int room = options.oversubscribe ? placed + count : room_for_ranks(topology, options);
  if (room <= placed) return {};
  std::vector<Binding> all = place(topology, std::min(placed + count, room), options);
  if (!std::equal(ranks.begin(), ranks.end(), all.begin(), same)) return {};
  all.erase(all.begin(), all.begin() + placed);
  return all;
}

}  // namespace

std::vector<Binding> further_places(const Topology& topology, const std::vector<Binding>& ranks,
                                    const PlacementOptions& options, int count) {
  if (count <= 0) return {};
  std::vector<Binding> places = continued(topology, ranks, options, count);
  if (!places.empty()) return places;
  // One after the other over all cores, without those that a rank is bound to or simulated on.
  const int cores = static_cast<int>(topology.cores().size());
  const std::vector<Binding> all = place(topology, std::min(cores, static_cast<int>(ranks.size()) + count));
  std::set<int> taken;
  for (const Binding& rank : ranks) taken.insert(rank.core);
  for (const Binding& next : all) {
    if (static_cast<int>(places.size()) < count && taken.count(next.core) == 0) places.push_back(next);
  }
  return places;
}

}  // namespace strata
