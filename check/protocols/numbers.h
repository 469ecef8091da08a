// SPDX-License-Identifier: LGPL-2.1-only
// The operands of collectives. All numbers differ, so that each one shows its origin.
#pragma once

#include <vector>

namespace strata::check::protocols {

/// The operands of a rank in the program's collective number `number`.
inline std::vector<long> numbers(int rank, int number, int count) {
  std::vector<long> result(count);
  for (int i = 0; i < count; ++i) result[i] = 1000003L * (10 * number + rank + 1) + i;
  return result;
}

/// The operands of all ranks, concatenated.
inline std::vector<long> everybodys(int size, int number, int count) {
  std::vector<long> all;
  for (int r = 0; r < size; ++r) {
    const std::vector<long> one = numbers(r, number, count);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

/// The elementwise sum of the operands of all ranks.
inline std::vector<long> sum_of_all(int size, int number, int count) {
  std::vector<long> sum(count);
  for (int r = 0; r < size; ++r) {
    const std::vector<long> one = numbers(r, number, count);
    for (int i = 0; i < count; ++i) sum[i] += one[i];
  }
  return sum;
}

}  // namespace strata::check::protocols
