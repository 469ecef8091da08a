#include "mpi_ext/cart/mapping.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "mpi_ext/cart/blocks.h"
#include "mpi_ext/cart/order.h"
#include "mpi_ext/cart/partners.h"

namespace strata::mpix {
namespace {

constexpr std::array<std::pair<CartMethod, std::string_view>, 8> kNames = {{{CartMethod::kAuto, "auto"},
                                                                            {CartMethod::kCart, "cart"},
                                                                            {CartMethod::kNodecart, "nodecart"},
                                                                            {CartMethod::kMultilevel, "multilevel"},
                                                                            {CartMethod::kBlocks, "blocks"},
                                                                            {CartMethod::kHyperplane, "hyperplane"},
                                                                            {CartMethod::kKdTree, "kdtree"},
                                                                            {CartMethod::kStrips, "strips"}}};

// How many ranks each group of a level has. Throws Unmappable where they differ.
int equal_size(const PlaceLevel& level, CartMethod method) {
  const std::vector<int> sizes = group_sizes(level.group);
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  if (*least != *most) {
    throw Unmappable(std::string(name_of(method)) + " needs equally many processes on each " + level.name +
                     "; here are " + std::to_string(*least) + " to " + std::to_string(*most) +
                     ": take auto, hyperplane, kdtree or strips");
  }
  return *least;
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
  const int size = equal_size(places.levels[places.node_level], CartMethod::kNodecart);
  const Shape block = factor_block(mesh.dims, size);
  return {CartMethod::kNodecart, seat(ranks_by_node(places), block_order(mesh.dims, {block})), block,
          divided(mesh.dims, block)};
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
    default:
      return map_nodecart(mesh, places);
  }
}

std::vector<int> groups_by_position(const std::vector<int>& new_rank, const std::vector<int>& group) {
  std::vector<int> by_position(new_rank.size());
  for (size_t r = 0; r < new_rank.size(); ++r) by_position[new_rank[r]] = group[r];
  return by_position;
}

}  // namespace strata::mpix
