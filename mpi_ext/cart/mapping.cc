#include "mpi_ext/cart/mapping.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "mpi_ext/cart/blocks.h"
#include "mpi_ext/cart/hyperplane.h"
#include "mpi_ext/cart/kd_tree.h"
#include "mpi_ext/cart/multilevel.h"
#include "mpi_ext/cart/order.h"
#include "mpi_ext/cart/partners.h"
#include "mpi_ext/cart/strips.h"

namespace strata::mpix {
namespace {

// In the order of the enumeration.
constexpr std::array<std::pair<CartMethod, std::string_view>, 8> kNames = {{{CartMethod::kAuto, "auto"},
                                                                            {CartMethod::kCart, "cart"},
                                                                            {CartMethod::kNodecart, "nodecart"},
                                                                            {CartMethod::kMultilevel, "multilevel"},
                                                                            {CartMethod::kBlocks, "blocks"},
                                                                            {CartMethod::kHyperplane, "hyperplane"},
                                                                            {CartMethod::kKdTree, "kdtree"},
                                                                            {CartMethod::kStrips, "strips"}}};

// How many ranks each group of a level has; nothing where they differ.
std::optional<int> equal_size(const PlaceLevel& level) {
  const std::vector<int> sizes = group_sizes(level.group);
  const bool equal = std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end();
  return equal ? std::optional(sizes.front()) : std::nullopt;
}

// The same; throws Unmappable where they differ.
int needed_size(const PlaceLevel& level, CartMethod method) {
  if (const std::optional<int> size = equal_size(level)) return *size;
  const std::vector<int> sizes = group_sizes(level.group);
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  throw Unmappable(std::string(name_of(method)) + " needs equally many processes on each " + level.name +
                   ", and there are from " + std::to_string(*least) + " to " + std::to_string(*most) +
                   ": take auto, hyperplane, kdtree or strips");
}

Shape divided(const Shape& dims, const Shape& block) {
  Shape inter(dims.size());
  std::transform(dims.begin(), dims.end(), block.begin(), inter.begin(), std::divides<>());
  return inter;
}

Mapping map_cart(const Mesh& mesh) {
  Mapping mapping{CartMethod::kCart, std::vector<int>(mesh.size()), {}, {}};
  std::iota(mapping.new_rank.begin(), mapping.new_rank.end(), 0);
  return mapping;
}

Mapping map_nodecart(const Mesh& mesh, const Places& places) {
  const int size = needed_size(places.levels[places.node_level], CartMethod::kNodecart);
  const Shape block = factor_block(mesh.dims, size);
  return {CartMethod::kNodecart, seat(ranks_by_node(places), block_order(mesh.dims, {block})), block,
          divided(mesh.dims, block)};
}

Mapping map_multilevel(const Mesh& mesh, const Places& places) {
  std::vector<int> sizes;
  for (const PlaceLevel& level : places.levels) sizes.push_back(needed_size(level, CartMethod::kMultilevel));
  const std::vector<Shape> blocks = multilevel_blocks(mesh.dims, sizes);
  const Shape& block = blocks[places.node_level];
  return {CartMethod::kMultilevel, seat(ranks_by_place(places), block_order(mesh.dims, blocks)), block,
          divided(mesh.dims, block)};
}

// Blocks for the levels whose groups are equal; groups of others are kept together between those around and inside.
Mapping map_blocks(const Mesh& mesh, const Places& places) {
  needed_size(places.levels[places.node_level], CartMethod::kBlocks);
  std::vector<int> sizes;
  std::vector<const PlaceLevel*> unequal = {nullptr};  // before each of `sizes`, and behind: the outermost other level
  int node = 0;
  for (int l = 0; l < static_cast<int>(places.levels.size()); ++l) {
    const PlaceLevel& level = places.levels[l];
    if (l == places.node_level) node = static_cast<int>(sizes.size());
    if (const std::optional<int> size = equal_size(level)) {
      sizes.push_back(*size);
      unequal.push_back(nullptr);
    } else if (unequal.back() == nullptr) {
      unequal.back() = &level;
    }
  }
  const std::vector<Shape> blocks = best_blocks(mesh, sizes, node);
  const std::vector<int> ranks = ranks_by_place(places);
  std::vector<std::vector<int>> parts(unequal.size());
  for (size_t k = 0; k < parts.size(); ++k) {
    if (unequal[k] == nullptr) continue;
    const size_t size = k < sizes.size() ? sizes[k] : 1;
    for (size_t i = 0; i < ranks.size(); i += size) parts[k].push_back(unequal[k]->group[ranks[i]]);
  }
  return {CartMethod::kBlocks, seat(ranks, block_order(mesh.dims, blocks, parts)), blocks[node],
          divided(mesh.dims, blocks[node])};
}

Mapping map_in_order(const Mesh& mesh, const Places& places, CartMethod method) {
  const std::vector<int> ranks = ranks_by_place(places);
  const auto positions = [&]() -> std::vector<int> {
    if (method == CartMethod::kKdTree) return kd_tree_order(mesh.dims);
    std::vector<int> nodes(ranks.size());
    std::transform(ranks.begin(), ranks.end(), nodes.begin(), [&](int r) { return places.nodes()[r]; });
    const std::vector<int> sizes = run_lengths(nodes.data(), nodes.data() + nodes.size());
    if (method == CartMethod::kHyperplane) return hyperplane_order(mesh.dims, Shape(mesh.dims.size(), 1), sizes);
    return strips_order(mesh.dims, static_cast<double>(ranks.size()) / static_cast<double>(sizes.size()));
  };
  return {method, seat(ranks, positions()), {}, {}};
}

// Partners on other groups of the nodes, then of the other levels, outermost first, which are counted only where
// `least` is equalled so far: the result is complete where it is less, or equal.
std::vector<long> off_partners(const Mesh& mesh, const Places& places, const std::vector<int>& new_rank,
                               const std::vector<long>& least) {
  std::vector<long> off;
  const auto count = [&](const PlaceLevel& level) {
    off.push_back(count_partners(mesh, groups_by_position(new_rank, level.group)).off.total);
  };
  count(places.levels[places.node_level]);
  for (int level = 0; level < static_cast<int>(places.levels.size()); ++level) {
    if (level == places.node_level) continue;
    if (!least.empty() &&
        std::lexicographical_compare(least.begin(), least.begin() + off.size(), off.begin(), off.end()))
      break;
    count(places.levels[level]);
  }
  return off;
}

Mapping map_best(const Mesh& mesh, const Places& places) {
  Mapping best;
  std::vector<long> least;
  for (CartMethod method : cart_methods()) {
    if (method == CartMethod::kAuto) continue;
    try {
      Mapping mapping = map_processes(mesh, places, method);
      std::vector<long> off = off_partners(mesh, places, mapping.new_rank, least);
      if (!least.empty() && off >= least) continue;
      best = std::move(mapping);
      least = std::move(off);
    } catch (const Unmappable&) {
      continue;  // not cart, which always can
    }
  }
  return best;
}

}  // namespace

std::string_view name_of(CartMethod method) { return kNames[static_cast<size_t>(method)].second; }

std::optional<CartMethod> find_cart_method(std::string_view name) {
  for (const auto& [method, its_name] : kNames) {
    if (its_name == name) return method;
  }
  return std::nullopt;
}

const std::vector<CartMethod>& cart_methods() {
  static const std::vector<CartMethod> all = [] {
    std::vector<CartMethod> methods;
    for (const auto& [method, name] : kNames) methods.push_back(method);
    return methods;
  }();
  return all;
}

Mapping map_processes(const Mesh& mesh, const Places& places, CartMethod method) {
  switch (method) {
    case CartMethod::kAuto:
      return map_best(mesh, places);
    case CartMethod::kCart:
      return map_cart(mesh);
    case CartMethod::kNodecart:
      return map_nodecart(mesh, places);
    case CartMethod::kMultilevel:
      return map_multilevel(mesh, places);
    case CartMethod::kBlocks:
      return map_blocks(mesh, places);
    case CartMethod::kHyperplane:
    case CartMethod::kKdTree:
    case CartMethod::kStrips:
      break;
  }
  return map_in_order(mesh, places, method);
}

std::vector<int> groups_by_position(const std::vector<int>& new_rank, const std::vector<int>& group) {
  std::vector<int> by_position(new_rank.size());
  for (size_t r = 0; r < new_rank.size(); ++r) by_position[new_rank[r]] = group[r];
  return by_position;
}

}  // namespace strata::mpix
