// SPDX-License-Identifier: LGPL-2.1-only
// Orders of ranks: all of few, and random ones that are the same with every standard library.
#pragma once

#include <random>
#include <vector>

namespace strata::check {

/// A renaming or an order of ranks.
using Permutation = std::vector<int>;

/// 0 .. size - 1.
Permutation identity_of(int size);
/// All of them, the identity first.
std::vector<Permutation> permutations_of(int size);

/// 0 .. bound - 1.
int below(std::mt19937_64& random, int bound);
Permutation shuffled(int size, std::mt19937_64& random);

}  // namespace strata::check
