#include "mpi_ext/cart/order.h"

#include <algorithm>
#include <numeric>

namespace strata::mpix {
namespace {

// Sorts by group and keeps the order within each: a counting sort.
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

std::vector<int> block_order(const Shape& dims, const std::vector<Shape>& shapes) {
  const size_t n = dims.size();
  std::vector<int> strides(n, 1);
  for (size_t i = n; i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  // From the inside out: the positions of a block relative to its first are those of its parts, one after the other.
  std::vector<int> order = {0};
  Shape part(n, 1);
  for (size_t level = shapes.size() + 1; level-- > 0;) {
    const Shape& whole = level == 0 ? dims : shapes[level - 1];
    int parts = 1;
    for (size_t i = 0; i < n; ++i) parts *= whole[i] / part[i];
    const size_t size = order.size();
    order.reserve(size * parts);
    std::vector<int> at(n, 0);  // of the part, in parts
    int first = 0;
    for (int p = 1; p < parts; ++p) {
      for (size_t i = n; i-- > 0;) {  // the next part in row-major order
        first += part[i] * strides[i];
        if (++at[i] < whole[i] / part[i]) break;
        first -= whole[i] * strides[i];
        at[i] = 0;
      }
      for (size_t k = 0; k < size; ++k) order.push_back(first + order[k]);
    }
    part = whole;
  }
  return order;
}

}  // namespace strata::mpix
