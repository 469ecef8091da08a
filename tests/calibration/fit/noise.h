// SPDX-License-Identifier: LGPL-2.1-only
// Random numbers that are the same on every system: uniform, and approximately normal (the sum of twelve uniform ones).
#pragma once

#include <cstdint>
#include <random>

namespace strata::calibration {

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}
  /// In [0, 1).
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  int below(int n) { return static_cast<int>(uniform() * n); }
  /// Mean 0, standard deviation 1.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace strata::calibration
