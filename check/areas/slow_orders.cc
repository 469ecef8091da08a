// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/slow_orders.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "check/areas/small_meshes.h"

namespace strata::check {
namespace {

using Box = std::vector<Coords>;

bool is_prime(int n) {
  for (int d = 2; d < n; ++d) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

bool divides(const Shape& shape, const Shape& whole) {
  for (size_t i = 0; i < whole.size(); ++i) {
    if (whole[i] % shape[i] != 0) return false;
  }
  return true;
}

// The smallest coordinate in a dimension, and the extent.
std::array<int, 2> extent(const Box& box, int dim) {
  std::array<int, 2> least_most = {box[0][dim], box[0][dim]};
  for (const Coords& at : box) least_most = {std::min(least_most[0], at[dim]), std::max(least_most[1], at[dim])};
  return {least_most[0], least_most[1] - least_most[0] + 1};
}

// The dimensions of a box, sorted by decreasing length.
std::vector<int> by_length(const Box& box, const Shape& unit) {
  Shape lengths(unit.size());
  for (size_t i = 0; i < unit.size(); ++i) lengths[i] = extent(box, static_cast<int>(i))[1] * unit[i];
  std::vector<int> dims(unit.size());
  std::iota(dims.begin(), dims.end(), 0);
  std::stable_sort(dims.begin(), dims.end(), [&](int a, int b) { return lengths[a] > lengths[b]; });
  return dims;
}

// The cells below a coordinate, and the others.
std::array<Box, 2> parted(const Box& box, int dim, int at) {
  std::array<Box, 2> parts;
  for (const Coords& cell : box) parts[cell[dim] < at ? 0 : 1].push_back(cell);
  return parts;
}

// The distance of the first `count` ranks, on nodes of these sizes, from a whole number of nodes.
int distance_to_nodes(const std::vector<int>& sizes, int count) {
  int least = count, end = 0;
  for (int size : sizes) {
    end += size;
    least = std::min(least, std::abs(count - end));
  }
  return least;
}

Box hyperplane(Box box, const Shape& unit, const std::vector<int>& sizes) {
  const std::vector<int> dims = by_length(box, unit);
  if (sizes.size() <= 2) {
    std::sort(box.begin(), box.end(), [&](const Coords& a, const Coords& b) {
      for (int dim : dims) {
        if (a[dim] != b[dim]) return a[dim] < b[dim];
      }
      return false;
    });
    return box;
  }
  // For each cut: the distance from whole nodes; the preference of its dimension, if that distance is 0; the distance
  // from the middle; and the cut itself.
  std::array<long, 5> best = {LONG_MAX};
  for (size_t rank = 0; rank < dims.size(); ++rank) {
    const auto [first, length] = extent(box, dims[rank]);
    for (int at = 1; at < length; ++at) {
      const long size = static_cast<long>(box.size()), low = size * at / length;
      const int off = distance_to_nodes(sizes, static_cast<int>(low));
      const auto preference = static_cast<long>(rank);
      best = std::min(best, {off, off == 0 ? preference : 0, std::abs(2 * low - size), preference, first + at});
    }
  }
  auto [low, high] = parted(box, dims[best[3]], static_cast<int>(best[4]));
  std::vector<int> low_sizes, high_sizes;
  int left = static_cast<int>(low.size());
  for (int size : sizes) {
    const int here = std::min(size, left);
    if (here > 0) low_sizes.push_back(here);
    if (here < size) high_sizes.push_back(size - here);
    left -= here;
  }
  Box order = hyperplane(std::move(low), unit, low_sizes);
  for (Coords& cell : hyperplane(std::move(high), unit, high_sizes)) order.push_back(std::move(cell));
  return order;
}

Box tree(const Box& box) {
  if (box.size() == 1) return box;
  const int dim = by_length(box, Shape(box[0].size(), 1))[0];
  const auto [first, length] = extent(box, dim);
  const auto [low, high] = parted(box, dim, first + length / 2);
  Box order = tree(low);
  for (Coords& cell : tree(high)) order.push_back(std::move(cell));
  return order;
}

// Visits all combinations of a value from each list. The last list changes fastest. Each list is traversed alternately
// forwards, first, and backwards.
void turning(const std::vector<std::vector<int>>& lists, const std::function<void(const Coords&)>& visit) {
  Coords at;
  std::vector<bool> back(lists.size(), false);
  const std::function<void(size_t)> go = [&](size_t i) {
    if (i == lists.size()) {
      visit(at);
      return;
    }
    std::vector<int> list = lists[i];
    if (back[i]) std::reverse(list.begin(), list.end());
    back[i] = !back[i];
    for (int value : list) {
      at.push_back(value);
      go(i + 1);
      at.pop_back();
    }
  };
  go(0);
}

std::vector<int> range(int from, int to) {
  std::vector<int> values(to - from);
  std::iota(values.begin(), values.end(), from);
  return values;
}

// The number of adjacent strips in each dimension.
Shape strip_counts(const Shape& dims, int along, double node_size) {
  std::vector<std::pair<int, int>> others;  // sorted by increasing length
  for (int dim = 0; dim < static_cast<int>(dims.size()); ++dim) {
    if (dim != along) others.emplace_back(dims[dim], dim);
  }
  std::sort(others.begin(), others.end());
  Shape counts(dims.size(), 1);
  double volume = node_size;  // of the rest of the cube
  for (size_t i = 0; i < others.size(); ++i) {
    const auto [length, dim] = others[i];
    const double width = std::pow(volume, 1.0 / static_cast<double>(dims.size() - i));
    counts[dim] = std::max(1, std::min(length, static_cast<int>(std::lround(length / width))));
    volume = std::max(1.0, volume * counts[dim] / length);
  }
  return counts;
}

// The minimum sum of the dimensions of a mesh of nodes in a mesh of `dims`.
int nodes_sum(const Shape& dims, int nodes) {
  int least = INT_MAX;
  for (const Shape& mesh : shapes_in(dims, nodes)) {
    least = std::min(least, std::accumulate(mesh.begin(), mesh.end(), 0));
  }
  return least;
}

}  // namespace

std::optional<FactorRule> slow_factor_rule(const Shape& dims, int size) {
  FactorRule rule{Shape(dims.size(), 1)};
  Shape remaining = dims;
  for (int factor = size; size > 1;) {
    if (size % factor != 0 || !is_prime(factor)) {
      --factor;
      continue;
    }
    std::vector<int> fitting;
    for (int i = 0; i < static_cast<int>(dims.size()); ++i) {
      if (remaining[i] % factor == 0) fitting.push_back(i);
    }
    if (fitting.empty()) return std::nullopt;
    const auto keep = [&](auto least) {
      const int best =
          least(*std::min_element(fitting.begin(), fitting.end(), [&](int a, int b) { return least(a) < least(b); }));
      const size_t before = fitting.size();
      std::erase_if(fitting, [&](int i) { return least(i) != best; });
      return fitting.size() < before;
    };
    keep([&](int i) { return -remaining[i]; });
    if (keep([&](int i) { return rule.block[i]; })) rule.shortest_decided = true;
    if (fitting.size() > 1) rule.first_decided = true;
    rule.block[fitting[0]] *= factor;
    remaining[fitting[0]] /= factor;
    size /= factor;
  }
  return rule;
}

std::vector<Shape> shapes_in(const Shape& whole, int size) {
  const int count = static_cast<int>(whole.size());
  std::vector<Shape> shapes = all_dims(size, count, count);
  std::erase_if(shapes, [&](const Shape& shape) { return !divides(shape, whole); });
  return shapes;
}

BestBlocks slow_best_blocks(const SlowMesh& mesh, const std::vector<int>& sizes, int node) {
  std::map<Shape, long> known;
  const auto off = [&](const Shape& shape) {
    const auto [at, is_new] = known.try_emplace(shape, 0);
    if (is_new) at->second = mesh.count_off(mesh.blocks(shape));
    return at->second;
  };
  BestBlocks best;
  std::vector<Shape> chain;
  const std::function<void()> extend = [&] {
    if (chain.size() == sizes.size()) {
      std::vector<long> all = {off(chain[node])};
      for (size_t level = 0; level < chain.size(); ++level) {
        if (static_cast<int>(level) != node) all.push_back(off(chain[level]));
      }
      if (best.off.empty() || all < best.off || (all == best.off && chain[node] > best.node)) {
        best = {std::move(all), chain[node]};
      }
      return;
    }
    for (Shape& shape : shapes_in(chain.empty() ? mesh.dims() : chain.back(), sizes[chain.size()])) {
      chain.push_back(std::move(shape));
      extend();
      chain.pop_back();
    }
  };
  extend();
  return best;
}

std::vector<Coords> slow_blocks(const Shape& dims, const std::vector<Shape>& shapes,
                                const std::vector<std::vector<int>>& parts) {
  const size_t n = dims.size();
  std::vector<Coords> order;
  const std::function<void(const Coords&, const Shape&, size_t)> fill = [&](const Coords& first, const Shape& whole,
                                                                            size_t k) {
    if (k > shapes.size()) {
      order.push_back(first);
      return;
    }
    const Shape part = k < shapes.size() ? shapes[k] : Shape(n, 1);
    Shape inner(n);
    for (size_t i = 0; i < n; ++i) inner[i] = whole[i] / part[i];
    std::vector<Coords> cells = all_coords(inner);
    if (k < parts.size() && !parts[k].empty()) {
      std::vector<int> sizes;  // of the groups here, in blocks
      const size_t size = std::accumulate(part.begin(), part.end(), size_t{1}, std::multiplies<>());
      for (size_t b = 0, at = order.size(); b < cells.size(); ++b, at += size) {
        if (b == 0 || parts[k][at] != parts[k][at - size]) sizes.push_back(0);
        ++sizes.back();
      }
      if (sizes.size() > 1) cells = slow_hyperplane(inner, part, sizes);
    }
    for (const Coords& cell : cells) {
      Coords at = first;
      for (size_t i = 0; i < n; ++i) at[i] += cell[i] * part[i];
      fill(at, part, k + 1);
    }
  };
  fill(Coords(n, 0), dims, 0);
  return order;
}

std::vector<Coords> slow_hyperplane(const Shape& dims, const Shape& unit, const std::vector<int>& sizes) {
  return hyperplane(all_coords(dims), unit, sizes);
}

std::vector<Coords> slow_tree(const Shape& dims) { return tree(all_coords(dims)); }

std::vector<Coords> slow_strips(const Shape& dims, double node_size) {
  if (dims.empty()) return {{}};
  const int along = static_cast<int>(std::max_element(dims.begin(), dims.end()) - dims.begin());
  const Shape counts = strip_counts(dims, along, node_size);
  std::vector<int> digits = {along};  // slowest first
  std::vector<std::vector<int>> strips;
  for (int dim = 0; dim < static_cast<int>(dims.size()); ++dim) {
    if (dim != along) digits.push_back(dim);
    strips.push_back(range(0, counts[dim]));
  }
  std::vector<Coords> order;
  turning(strips, [&](const Coords& strip) {
    std::vector<std::vector<int>> lines;  // for each digit, starting at the end nearer to the end of the previous strip
    for (int dim : digits) {
      const int from = dims[dim] * strip[dim] / counts[dim], to = dims[dim] * (strip[dim] + 1) / counts[dim];
      const int last = order.empty() ? 0 : order.back()[dim];
      std::vector<int> line = range(from, to);
      if (std::abs(last - (to - 1)) < std::abs(last - from)) std::reverse(line.begin(), line.end());
      lines.push_back(std::move(line));
    }
    turning(lines, [&](const Coords& values) {
      Coords at(dims.size());
      for (size_t i = 0; i < digits.size(); ++i) at[digits[i]] = values[i];
      order.push_back(std::move(at));
    });
  });
  return order;
}

std::vector<int> slow_ranks_by_place(const mpix::Places& places) {
  std::vector<std::vector<int>> keys;
  for (int r = 0; r < static_cast<int>(places.nodes().size()); ++r) {
    keys.emplace_back();
    for (const mpix::PlaceLevel& level : places.levels) keys.back().push_back(level.group[r]);
    keys.back().push_back(r);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> ranks;
  for (const std::vector<int>& key : keys) ranks.push_back(key.back());
  return ranks;
}

std::optional<std::vector<int>> slow_dims(int processes, int ranks_per_node, const std::vector<int>& given) {
  const int count = static_cast<int>(given.size());
  const int per_node = ranks_per_node > 0 && processes % ranks_per_node == 0 ? ranks_per_node : 1;
  std::optional<std::tuple<int, int, Shape, Shape>> best;
  for (const Shape& dims : all_dims(processes, count, count)) {
    Shape chosen;
    bool fits = true;
    for (int i = 0; i < count; ++i) {
      if (given[i] == 0) chosen.push_back(dims[i]);
      fits = fits && (given[i] == 0 || given[i] == dims[i]);
    }
    if (!fits || !std::is_sorted(chosen.rbegin(), chosen.rend())) continue;
    std::tuple<int, int, Shape, Shape> key{nodes_sum(dims, processes / per_node),
                                           std::accumulate(dims.begin(), dims.end(), 0), chosen, dims};
    if (!best || key < *best) best = std::move(key);
  }
  if (!best) return std::nullopt;
  return std::get<3>(*best);
}

}  // namespace strata::check
