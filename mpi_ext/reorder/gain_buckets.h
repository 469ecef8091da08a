// SPDX-License-Identifier: LGPL-2.1-only
// Vertices by gain, for a search that repeatedly moves the best one. All operations take constant time.
//
// A bucket holds gains that differ by less than a sixteenth. Its number consists of the exponent of the gain relative
// to the largest gain, and four bits of its mantissa. Gains below 2^-kOctaves of the largest count as 0. In a bucket
// the latest vertex comes first.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace strata::mpix {

class GainBuckets {
 public:
  /// The bucket of a gain, given relative to the largest: -1 .. 1.
  static int bucket(double share) {
    const float size = std::fabs(static_cast<float>(share));
    if (size < kLeast) return kMiddle;
    const int level =
        size >= 1 ? kLevels : kLevels - static_cast<int>((kOne - std::bit_cast<std::uint32_t>(size)) >> kShift);
    return share > 0 ? kMiddle + level : kMiddle - level;
  }

  /// Empties the buckets, for vertices below `size`.
  void clear(int size) {
    used_.fill(0);
    if (static_cast<int>(next_.size()) >= size) return;
    next_.resize(size);
    before_.resize(size);
  }

  void insert(int v, int bucket) {
    std::uint64_t& word = used_[bucket / 64];
    const std::uint64_t bit = std::uint64_t{1} << (bucket % 64);
    const int head = (word & bit) != 0 ? head_[bucket] : -1;
    word |= bit;
    next_[v] = head;
    before_[v] = -1;
    if (head >= 0) before_[head] = v;
    head_[bucket] = v;
  }

  /// `v` is in this bucket.
  void erase(int v, int bucket) {
    if (next_[v] >= 0) before_[next_[v]] = before_[v];
    if (before_[v] >= 0) {
      next_[before_[v]] = next_[v];
      return;
    }
    head_[bucket] = next_[v];
    if (next_[v] < 0) used_[bucket / 64] &= ~(std::uint64_t{1} << (bucket % 64));
  }

  /// A vertex with the largest gain; -1 if empty.
  int best() const {
    for (int word = kWords; word-- > 0;) {
      if (used_[word] != 0) return head_[64 * word + std::bit_width(used_[word]) - 1];
    }
    return -1;
  }

 private:
  static constexpr int kOctaves = 15, kMantissaBits = 4;
  static constexpr int kShift = 23 - kMantissaBits;  // of a float's 23
  static constexpr std::uint32_t kOne = std::bit_cast<std::uint32_t>(1.0F);
  static constexpr float kLeast = 1.0F / (1 << kOctaves);
  static constexpr int kLevels = (kOctaves << kMantissaBits) + 1, kMiddle = kLevels;
  static constexpr int kWords = (2 * kLevels + 1 + 63) / 64;

  std::array<int, std::size_t{64} * kWords> head_;  // of the buckets that are used
  std::array<std::uint64_t, kWords> used_{};        // a bit each
  std::vector<int> next_, before_;                  // by vertex
};

}  // namespace strata::mpix
