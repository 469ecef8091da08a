// SPDX-License-Identifier: LGPL-2.1-only
// What ranks give to collectives: all numbers differ, so that each tells where it comes from.
#pragma once

#include <vector>

namespace strata::check::protocols {

/// A rank's, in the `number`-th collective of a program.
inline std::vector<long> numbers(int rank, int number, int count) {
  std::vector<long> result(count);
  for (int i = 0; i < count; ++i) result[i] = 1000003L * (10 * number + rank + 1) + i;
  return result;
}

/// Those of all ranks, one behind the other.
inline std::vector<long> everybodys(int size, int number, int count) {
  std::vector<long> all;
  for (int r = 0; r < size; ++r) {
    const std::vector<long> one = numbers(r, number, count);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

/// Those of all ranks, added element by element.
inline std::vector<long> sum_of_all(int size, int number, int count) {
  std::vector<long> sum(count);
  for (int r = 0; r < size; ++r) {
    const std::vector<long> one = numbers(r, number, count);
    for (int i = 0; i < count; ++i) sum[i] += one[i];
  }
  return sum;
}

}  // namespace strata::check::protocols
