// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/order.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "mpi_ext/cart/hyperplane.h"

namespace strata::mpix {
namespace {

// Sorts by group, and keeps the order within each group (counting sort).
void sort_by_group(const std::vector<int>& group, std::vector<int>& ranks) {
  const std::vector<int> sizes = group_sizes(group);
  std::vector<int> next(sizes.size());
  std::exclusive_scan(sizes.begin(), sizes.end(), next.begin(), 0);
  std::vector<int> sorted(ranks.size());
  for (int r : ranks) sorted[next[group[r]]++] = r;
  ranks.swap(sorted);
}

std::vector<int> ranks_of(const Places& places) {
  std::vector<int> ranks(places.nodes().size());
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

// The offsets of blocks of shape `part`, `inner` of them in each dimension, in row-major order.
std::vector<int> offsets_of(const Shape& dims, const Shape& part, const Shape& inner) {
  std::vector<int> offsets = {0};
  int stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    const size_t size = offsets.size();
    offsets.resize(size * inner[i]);
    for (size_t k = size; k < offsets.size(); ++k) offsets[k] = offsets[k - size] + part[i] * stride;
    stride *= dims[i];
  }
  return offsets;
}

// The lengths of runs of equal values.
std::vector<int> run_lengths(const int* from, const int* to) {
  std::vector<int> lengths;
  for (const int* i = from; i != to; ++i) {
    if (i == from || *i != *(i - 1)) lengths.push_back(0);
    ++lengths.back();
  }
  return lengths;
}

}  // namespace

std::vector<int> ranks_by_node(const Places& places) {
  std::vector<int> ranks = ranks_of(places);
  sort_by_group(places.nodes(), ranks);
  return ranks;
}

std::vector<int> ranks_by_place(const Places& places) {
  std::vector<int> ranks = ranks_of(places);
  for (auto level = places.levels.rbegin(); level != places.levels.rend(); ++level) sort_by_group(level->group, ranks);
  return ranks;
}

std::vector<int> seat(const std::vector<int>& ranks, const std::vector<int>& positions) {
  std::vector<int> new_rank(ranks.size());
  for (size_t i = 0; i < ranks.size(); ++i) new_rank[ranks[i]] = positions[i];
  return new_rank;
}

std::vector<int> block_order(const Shape& dims, const std::vector<Shape>& shapes,
                             const std::vector<std::vector<int>>& parts) {
  const size_t n = dims.size();
  std::vector<int> firsts = {0};  // first positions of the blocks of the previous shape
  Shape whole = dims;
  for (size_t k = 0; k <= shapes.size(); ++k) {
    const Shape part = k < shapes.size() ? shapes[k] : Shape(n, 1);
    Shape inner(n);
    std::transform(whole.begin(), whole.end(), part.begin(), inner.begin(), std::divides<>());
    const std::vector<int> offsets = offsets_of(dims, part, inner);
    const size_t size = offsets.size();
    std::map<std::vector<int>, std::vector<int>> known;  // orders by the sizes of the groups
    std::vector<int> next;
    next.reserve(firsts.size() * size);
    for (size_t p = 0; p < firsts.size(); ++p) {
      const std::vector<int> sizes = k < parts.size() && !parts[k].empty()
                                         ? run_lengths(&parts[k][p * size], &parts[k][p * size] + size)
                                         : std::vector<int>();
      if (sizes.size() < 2) {
        for (int offset : offsets) next.push_back(firsts[p] + offset);
        continue;
      }
      std::vector<int>& order = known[sizes];
      if (order.empty()) order = hyperplane_order(inner, part, sizes);
      for (int i : order) next.push_back(firsts[p] + offsets[i]);
    }
    firsts.swap(next);
    whole = part;
  }
  return firsts;
}

}  // namespace strata::mpix
