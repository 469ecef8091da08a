// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/fabric_ways.h"

#include "platforms/parts.h"

namespace strata {

void find_ways(const FabricNetwork& fabric, int from, int to, std::vector<Fabric::Part>& parts) {
  const int a = fabric.router_of(from), b = fabric.router_of(to);
  if (fabric.routing != Routing::kMinimal) return fabric.fabric->spread(a, b, parts);
  std::vector<int> links;
  fabric.fabric->route(a, b, fabric.seat_of(to), links);
  for (const int link : links) parts.push_back({link, 1});
}

void find_ways_around(const FabricNetwork& fabric, int from, int via, int to, std::vector<Fabric::Part>& parts) {
  const auto first = static_cast<long>(parts.size());
  fabric.fabric->spread(fabric.router_of(from), via, parts);
  fabric.fabric->spread(via, fabric.router_of(to), parts);
  merge(parts, first);
}

}  // namespace strata
