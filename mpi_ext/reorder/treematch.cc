#include "mpi_ext/reorder/treematch.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "mpi_ext/reorder/mapping.h"

namespace strata::mpix {
namespace {

struct Entry {
  double bytes;
  int a, b;
};

// Ranks in an order in which those who talk much are near: the pairs with the most bytes are joined first, each group
// being a chain.
std::vector<int> chained(const Pattern& pattern) {
  const int order = pattern.order();
  std::vector<Entry> entries;
  for (int a = 0; a < order; ++a) {
    for (size_t i = 0; i < pattern.peers(a).size(); ++i) {
      if (pattern.peers(a)[i] > a) entries.push_back({pattern.bytes(a)[i], a, pattern.peers(a)[i]});
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& x, const Entry& y) { return std::tie(y.bytes, x.a, x.b) < std::tie(x.bytes, y.a, y.b); });
  std::vector<int> group(order), next(order, -1), last(order);
  std::iota(group.begin(), group.end(), 0);
  std::iota(last.begin(), last.end(), 0);
  const auto find = [&](int a) {
    while (group[a] != a) a = group[a] = group[group[a]];
    return a;
  };
  for (const Entry& entry : entries) {
    const int a = find(entry.a), b = find(entry.b);
    if (a == b) continue;
    next[last[a]] = b;
    last[a] = last[b];
    group[b] = a;
  }
  std::vector<int> ranks;
  for (int a = 0; a < order; ++a) {
    if (find(a) != a) continue;
    for (int r = a; r >= 0; r = next[r]) ranks.push_back(r);
  }
  return ranks;
}

}  // namespace

std::vector<int> treematch(const Pattern& pattern, const PlaceTree& tree) {
  const std::vector<int> ranks = chained(pattern.symmetric());
  std::vector<int> by_place(ranks.size());
  std::iota(by_place.begin(), by_place.end(), 0);
  std::stable_sort(by_place.begin(), by_place.end(), [&](int a, int b) { return tree.place[a] < tree.place[b]; });
  std::vector<int> new_rank(ranks.size());
  for (size_t i = 0; i < ranks.size(); ++i) new_rank[by_place[i]] = ranks[i];
  return new_rank;
}

}  // namespace strata::mpix
