// SPDX-License-Identifier: LGPL-2.1-only
// Divisors and prime factors of numbers of processes.
#pragma once

#include <algorithm>
#include <vector>

namespace strata::mpix {

/// Ascending. O(sqrt(n)).
inline std::vector<int> divisors_of(int n) {
  std::vector<int> divisors, large;
  for (int d = 1; d <= n / d; ++d) {
    if (n % d != 0) continue;
    divisors.push_back(d);
    if (d != n / d) large.push_back(n / d);
  }
  divisors.insert(divisors.end(), large.rbegin(), large.rend());
  return divisors;
}

/// Ascending; each prime as often as it divides n. O(sqrt(n)).
inline std::vector<int> primes_of(int n) {
  std::vector<int> primes;
  for (int p = 2; p <= n / p; ++p) {
    for (; n % p == 0; n /= p) primes.push_back(p);
  }
  if (n > 1) primes.push_back(n);
  return primes;
}

}  // namespace strata::mpix
