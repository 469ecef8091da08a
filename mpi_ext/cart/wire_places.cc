// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/wire_places.h"

#include <cstring>
#include <map>

#include "mpi_ext/hierarchy/member_data.h"

namespace strata::mpix {

WirePlace wire_place_of(const Where& mine) {
  const Topology& t = *mine.topology;
  WirePlace place{mine.place.node_key, mine.place.tree, 0, {}};
  for (const Holder& h : path_of(t, static_cast<int>(mine.place.vertex)).inside) {
    if (place.levels == WirePlace::kLevels) break;
    WirePlace::Level& level = place.level[place.levels++];
    std::strncpy(level.name.data(), h.name.c_str(), WirePlace::kNameLength - 1);
    level.instance = static_cast<std::int32_t>(h.instance);
  }
  return place;
}

std::vector<Path> paths_told(std::span<const std::byte> bytes) {
  std::vector<WirePlace> all(bytes.size() / sizeof(WirePlace));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  std::map<std::uint64_t, std::uint64_t> tree_of;  // by node; 0 if there is no common tree
  for (const WirePlace& t : all) {
    const auto at = tree_of.emplace(t.node, t.tree).first;
    if (at->second != t.tree) at->second = 0;
  }
  std::vector<Path> paths;
  for (const WirePlace& t : all) {
    Path& path = paths.emplace_back();
    path.node = t.node;
    if (tree_of.at(t.node) == 0) continue;
    for (const WirePlace::Level& l : std::span(t.level).first(static_cast<size_t>(t.levels))) {
      path.inside.push_back({l.name.data(), l.instance});
    }
  }
  return paths;
}

std::vector<int> vertices_in(const World& world, MPI_Comm comm) {
  std::vector<int> vertices;
  for (int r : world_ranks_of(comm)) {
    if (r == MPI_UNDEFINED) return {};
    vertices.push_back(world.vertex[r]);
  }
  return vertices;
}

}  // namespace strata::mpix
