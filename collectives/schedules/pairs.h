// SPDX-License-Identifier: LGPL-2.1-only
// Ranks by number if only a power of two of them take part: of p = 2^k + r ranks, the first 2 r make pairs, whose odd
// rank takes part for both. For example 6 ranks: numbers 0 and 1 are ranks 1 and 3, numbers 2 and 3 are ranks 4 and 5.
#pragma once

#include <bit>

namespace strata::collectives {

struct Pairs {
  int ranks;

  /// The ranks that take part.
  int power() const { return static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks))); }
  int number_of_pairs() const { return ranks - power(); }
  bool is_in_pair(int rank) const { return rank < 2 * number_of_pairs(); }
  /// -1: the other rank of its pair takes part.
  int number(int rank) const {
    if (!is_in_pair(rank)) return rank - number_of_pairs();
    return rank % 2 == 0 ? -1 : rank / 2;
  }
  int rank(int number) const { return first_rank(number) + (number < number_of_pairs() ? 1 : 0); }
  /// The first rank for which that number takes part.
  int first_rank(int number) const { return number < number_of_pairs() ? 2 * number : number + number_of_pairs(); }
};

}  // namespace strata::collectives
