// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/cart_mapping.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "mpi_ext/cart/hyperplane.h"
#include "mpi_ext/cart/kd_tree.h"
#include "mpi_ext/cart/multilevel.h"
#include "mpi_ext/cart/node_blocks.h"
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

Shape divided(const Shape& dims, const Shape& block) {
  Shape inter(dims.size());
  std::transform(dims.begin(), dims.end(), block.begin(), inter.begin(), std::divides<>());
  return inter;
}

// One input, with intermediate results that several methods share.
class Mapper {
 public:
  Mapper(const Mesh& mesh, const Places& places) : mesh_(mesh), places_(places) {
    for (const PlaceLevel& level : places.levels) sizes_.push_back(group_sizes(level.group));
  }

  // Throws Unmappable.
  Mapping map(CartMethod method) {
    switch (method) {
      case CartMethod::kAuto:
        return best();
      case CartMethod::kCart:
        return cart();
      case CartMethod::kNodecart:
        return nodecart();
      case CartMethod::kMultilevel:
        return multilevel();
      case CartMethod::kBlocks:
        return blocks();
      case CartMethod::kHyperplane:
        return in_order(method, hyperplane_order(mesh_.dims, Shape(mesh_.dims.size(), 1), node_sizes()));
      case CartMethod::kKdTree:
        return in_order(method, kd_tree_order(mesh_.dims));
      case CartMethod::kStrips:
        break;
    }
    return in_order(CartMethod::kStrips, strips_order(mesh_.dims, mean_node_size()));
  }

 private:
  int num_levels() const { return static_cast<int>(places_.levels.size()); }

  // Whether all groups of a level have the same number of ranks.
  bool is_equal(int level) const {
    return std::adjacent_find(sizes_[level].begin(), sizes_[level].end(), std::not_equal_to<>()) == sizes_[level].end();
  }

  // That number. Throws Unmappable if they differ.
  int equal_size(int level, CartMethod method) const {
    if (is_equal(level)) return sizes_[level].front();
    const auto [least, most] = std::minmax_element(sizes_[level].begin(), sizes_[level].end());
    throw Unmappable(std::string(name_of(method)) + " needs the same number of processes on each " +
                     places_.levels[level].name + ", but there are " + std::to_string(*least) + " to " +
                     std::to_string(*most) + ": use auto, hyperplane, kdtree or strips");
  }

  const std::vector<int>& by_place() {
    if (by_place_.empty()) by_place_ = ranks_by_place(places_);
    return by_place_;
  }

  // In the order of by_place().
  std::vector<int> node_sizes() {
    const std::vector<int>& ranks = by_place();
    std::vector<int> sizes;
    for (size_t i = 0; i < ranks.size(); i += sizes.back()) {
      sizes.push_back(sizes_[places_.node_level][places_.nodes()[ranks[i]]]);
    }
    return sizes;
  }

  double mean_node_size() const {
    return static_cast<double>(places_.nodes().size()) / static_cast<double>(sizes_[places_.node_level].size());
  }

  Mapping cart() const {
    Mapping mapping{CartMethod::kCart, std::vector<int>(mesh_.size()), {}, {}};
    std::iota(mapping.new_rank.begin(), mapping.new_rank.end(), 0);
    return mapping;
  }

  Mapping nodecart() const {
    const Shape block = factor_block(mesh_.dims, equal_size(places_.node_level, CartMethod::kNodecart));
    return {CartMethod::kNodecart, seat(ranks_by_node(places_), block_order(mesh_.dims, {block})), block,
            divided(mesh_.dims, block)};
  }

  Mapping multilevel() {
    std::vector<int> sizes;
    for (int level = 0; level < num_levels(); ++level) sizes.push_back(equal_size(level, CartMethod::kMultilevel));
    const std::vector<Shape> shapes = multilevel_blocks(mesh_.dims, sizes);
    const Shape& block = shapes[places_.node_level];
    return {CartMethod::kMultilevel, seat(by_place(), block_order(mesh_.dims, shapes)), block,
            divided(mesh_.dims, block)};
  }

  // Blocks for the levels whose groups have equal sizes. Groups of other levels are kept together within the blocks
  // around them.
  Mapping blocks() {
    equal_size(places_.node_level, CartMethod::kBlocks);
    std::vector<int> sizes;
    std::vector<int> unequal = {-1};  // the outermost other level before each of `sizes`, and after the last; -1: none
    int node = 0;
    for (int level = 0; level < num_levels(); ++level) {
      if (level == places_.node_level) node = static_cast<int>(sizes.size());
      if (is_equal(level)) {
        sizes.push_back(sizes_[level].front());
        unequal.push_back(-1);
      } else if (unequal.back() < 0) {
        unequal.back() = level;
      }
    }
    const std::vector<Shape> shapes = best_blocks(mesh_, sizes, node);
    const std::vector<int>& ranks = by_place();
    std::vector<std::vector<int>> parts(unequal.size());
    for (size_t k = 0; k < parts.size(); ++k) {
      if (unequal[k] < 0) continue;
      const std::vector<int>& group = places_.levels[unequal[k]].group;
      const size_t size = k < sizes.size() ? sizes[k] : 1;
      for (size_t i = 0; i < ranks.size(); i += size) parts[k].push_back(group[ranks[i]]);
    }
    return {CartMethod::kBlocks, seat(ranks, block_order(mesh_.dims, shapes, parts)), shapes[node],
            divided(mesh_.dims, shapes[node])};
  }

  Mapping in_order(CartMethod method, const std::vector<int>& positions) {
    return {method, seat(by_place(), positions), {}, {}};
  }

  // Counts partners on other nodes, then in other groups of the other levels, outermost first. Stops when the counts
  // are known to be larger than `least`.
  std::vector<long> off_partners(const std::vector<int>& new_rank, const std::vector<long>& least) const {
    std::vector<long> off;
    const auto count = [&](int level) {
      off.push_back(count_partners(mesh_, groups_by_position(new_rank, places_.levels[level].group)).off.total);
    };
    count(places_.node_level);
    for (int level = 0; level < num_levels(); ++level) {
      if (level == places_.node_level) continue;
      if (!least.empty() && off > std::vector<long>(least.begin(), least.begin() + off.size())) break;
      count(level);
    }
    return off;
  }

  Mapping best() {
    Mapping best;
    std::vector<long> least;
    for (CartMethod method : cart_methods()) {
      if (method == CartMethod::kAuto) continue;
      try {
        Mapping mapping = map(method);
        std::vector<long> off = off_partners(mapping.new_rank, least);
        if (!least.empty() && off >= least) continue;
        best = std::move(mapping);
        least = std::move(off);
      } catch (const Unmappable&) {
        continue;  // cannot happen for cart
      }
    }
    return best;
  }

  const Mesh& mesh_;
  const Places& places_;
  std::vector<std::vector<int>> sizes_;  // of each level's groups
  std::vector<int> by_place_;            // empty until needed
};

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

std::string cart_method_list() {
  std::string list;
  for (const auto& [method, name] : kNames) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

bool cuts_blocks(CartMethod method) {
  return method == CartMethod::kNodecart || method == CartMethod::kMultilevel || method == CartMethod::kBlocks;
}

Mapping map_processes(const Mesh& mesh, const Places& places, CartMethod method) {
  return Mapper(mesh, places).map(method);
}

std::vector<int> groups_by_position(const std::vector<int>& new_rank, const std::vector<int>& group) {
  std::vector<int> by_position(new_rank.size());
  for (size_t r = 0; r < new_rank.size(); ++r) by_position[new_rank[r]] = group[r];
  return by_position;
}

}  // namespace strata::mpix
