// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/tree_paths.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace strata::mpix {
namespace {

// An instance of a level: its kind and its number.
using Instance = std::pair<int, std::uint64_t>;
enum InstanceOf { kObject, kNode, kNothing };

int number_of_groups(const std::vector<int>& group) { return 1 + *std::max_element(group.begin(), group.end()); }

// Splits the groups of `before` by instance (empty: one group of all). Numbers follow the order of first members.
std::vector<int> refined(const std::vector<int>& before, const std::vector<Instance>& instances) {
  std::map<std::pair<int, Instance>, int> numbers;
  std::vector<int> group;
  group.reserve(instances.size());
  for (size_t r = 0; r < instances.size(); ++r) {
    const std::pair key(before.empty() ? 0 : before[r], instances[r]);
    group.push_back(numbers.emplace(key, static_cast<int>(numbers.size())).first->second);
  }
  return group;
}

// Keeps the levels that contain information, in their order.
Places without_idle_levels(const Places& all) {
  const int ranks = static_cast<int>(all.nodes().size()), nodes = number_of_groups(all.nodes());
  Places told;
  int before = 1;  // groups of the previous level
  for (int l = 0; l < static_cast<int>(all.levels.size()); ++l) {
    const int groups = number_of_groups(all.levels[l].group);
    const bool is_node = l == all.node_level;
    // Switches with one node each are represented by the nodes.
    const bool told_by_nodes = l < all.node_level && groups == nodes;
    if (!is_node && (groups == before || groups == ranks || told_by_nodes)) continue;
    if (is_node) told.node_level = static_cast<int>(told.levels.size());
    told.levels.push_back(all.levels[l]);
    before = groups;
  }
  return told;
}

// The names of the levels inside nodes, each after the levels that contain it.
std::vector<std::string> names_inside(const std::vector<Path>& paths) {
  std::vector<std::string> names;
  for (const Path& p : paths) {
    size_t next = 0;  // position for a new name
    for (const Holder& h : p.inside) {
      const size_t at = std::find(names.begin(), names.end(), h.name) - names.begin();
      if (at < names.size()) {
        next = std::max(next, at + 1);
      } else {
        names.insert(names.begin() + static_cast<std::ptrdiff_t>(next++), h.name);
      }
    }
  }
  return names;
}

// The switch at this number of levels above the node; if the network has fewer levels there, the outermost switch, or
// the node.
Instance switch_above(const Path& p, size_t height) {
  if (p.network.empty()) return {kNode, p.node};
  const size_t index = p.network.size() < height ? 0 : p.network.size() - height;
  return {kObject, static_cast<std::uint64_t>(p.network[index].instance)};
}

// The name of the switch at this height; empty if the network has fewer levels there.
std::string name_above(const Path& p, size_t height) {
  return p.network.size() < height ? "" : p.network[p.network.size() - height].name;
}

Instance inside(const Path& p, const std::string& name) {
  for (const Holder& h : p.inside) {
    if (h.name == name) return {kObject, static_cast<std::uint64_t>(h.instance)};
  }
  return {kNothing, 0};
}

}  // namespace

Path path_of(const Topology& machine, int v) {
  Path path;
  for (; machine.parent(v) >= 0; v = machine.parent(v)) {
    const int node = machine.node(v);
    if (node < 0) {
      path.network.push_back({machine.name(v), v});
    } else if (machine.node_vertex(node) == v) {
      path.node = static_cast<std::uint64_t>(v);
    } else {
      path.inside.push_back({machine.name(v), v});
    }
  }
  std::reverse(path.network.begin(), path.network.end());
  std::reverse(path.inside.begin(), path.inside.end());
  return path;
}

Places places_along(const std::vector<Path>& paths) {
  Places all;
  std::vector<Instance> instances(paths.size());
  const auto add_level = [&](const std::string& name, const auto& instance_of) {
    std::transform(paths.begin(), paths.end(), instances.begin(), instance_of);
    std::vector<int> group = refined(all.levels.empty() ? std::vector<int>() : all.levels.back().group, instances);
    all.levels.push_back({name, std::move(group)});
  };
  size_t highest = 0;
  for (const Path& p : paths) highest = std::max(highest, p.network.size());
  for (size_t height = highest; height > 0; --height) {
    std::string name;
    for (const Path& p : paths) {
      name = name_above(p, height);
      if (!name.empty()) break;
    }
    add_level(name, [&](const Path& p) { return switch_above(p, height); });
  }
  all.node_level = static_cast<int>(all.levels.size());
  add_level("Machine", [](const Path& p) { return Instance{kNode, p.node}; });
  for (const std::string& name : names_inside(paths)) {
    add_level(name, [&](const Path& p) { return inside(p, name); });
  }
  return without_idle_levels(all);
}

Places places_of_first(const Places& all, int ranks) {
  Places first = all;
  for (PlaceLevel& level : first.levels) level.group.resize(ranks);
  return without_idle_levels(first);
}

}  // namespace strata::mpix
