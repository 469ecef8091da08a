// SPDX-License-Identifier: LGPL-2.1-only
// Disjoint sets compared with labels that are all rewritten at each join.
#include "base/disjoint_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace strata {
namespace {

TEST(DisjointSets, AsLabels) {
  const unsigned seed = std::random_device{}();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 50; ++trial) {
    const int size = 1 + static_cast<int>(random() % 20);
    DisjointSets sets(static_cast<std::size_t>(size));
    std::vector<int> label(size);
    std::iota(label.begin(), label.end(), 0);
    for (int joined = 0; joined < size; ++joined) {
      const int a = static_cast<int>(random() % size), b = static_cast<int>(random() % size);
      sets.join(a, b);
      std::replace(label.begin(), label.end(), int{label[a]}, int{label[b]});
      for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) ASSERT_EQ(sets.together(i, j), label[i] == label[j]) << i << " and " << j;
      }
    }
  }
}

}  // namespace
}  // namespace strata
