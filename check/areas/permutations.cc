// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/permutations.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace strata::check {

Permutation identity_of(int size) {
  Permutation order(size);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<Permutation> permutations_of(int size) {
  std::vector<Permutation> all;
  Permutation order = identity_of(size);
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return all;
}

int below(std::mt19937_64& random, int bound) { return static_cast<int>(random() % static_cast<std::uint64_t>(bound)); }

Permutation shuffled(int size, std::mt19937_64& random) {
  Permutation order = identity_of(size);
  for (int i = size - 1; i > 0; --i) std::swap(order[i], order[below(random, i + 1)]);
  return order;
}

}  // namespace strata::check
