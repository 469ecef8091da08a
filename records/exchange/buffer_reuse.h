// SPDX-License-Identifier: LGPL-2.1-only
// How much else a rank's communication has touched since it last touched a buffer. A cache that is at least as large
// still has the buffer; a smaller one does not. For example, a rank that sends, receives and forwards in two buffers of
// 1 MiB, and one that receives 128 pieces of 64 KiB one after the other, again and again:
//
//   reuse.use(a, 1 << 20);     0          the first time
//   reuse.use(b, 1 << 20);     0
//   reuse.use(a, 1 << 20);     2097152    a and b
//
//   reuse.use(piece(k), 64 << 10)         8388608 from the second time on: all 128 pieces
//
// This is the stack distance of R. L. Mattson, J. Gecsei, D. R. Slutz, I. L. Traiger, Evaluation techniques for storage
// hierarchies, IBM Systems Journal 9(2), 1970: with least-recently-used replacement, data are in a cache if and only if
// their distance is at most its size. It is a property of the program, not of a machine. Only differences of addresses
// count, so a program that gets its buffers elsewhere has the same distances.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace strata {

/// The buffers of one rank. Not thread-safe.
class BufferReuse {
 public:
  /// Distances are exact for a rank whose buffers are in at most as many ranges of addresses, 100 B of memory each. If
  /// there are more, the older half of them counts as touched by one use, which makes adjacent ranges one. If more than
  /// three quarters are left even so, the older half is forgotten.
  static constexpr std::size_t kMostRanges = 1024;

  /// The rank uses these bytes. Returns the number of different bytes of this use and of all uses since one of its
  /// bytes was last used: if they were last used at different times, since the first of these. That use counts as a
  /// whole. 0: none of them has been used before. O(log kMostRanges), amortised.
  double use(std::uintptr_t address, std::size_t bytes);

  /// How much the rank has touched since it last touched the buffer of a message: use(), or 0 if that is at most the
  /// space of both copies of the message, which it needs in any case.
  double span(const void* buffer, std::size_t bytes) { return beyond_both(address_of(buffer), bytes); }
  /// The larger one of the two buffers of a copy or of a combination.
  double span(const void* from, const void* to, std::size_t bytes) {
    const double first = span(from, bytes);
    return std::max(first, span(to, bytes));
  }

  std::size_t ranges() const { return ranges_.size(); }

 private:
  using Count = std::uint64_t;  // B
  struct Range {
    std::uintptr_t end;
    std::size_t time;  // of its last use
  };
  using Ranges = std::map<std::uintptr_t, Range>;  // by address; disjoint

  static std::uintptr_t address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }
  double beyond_both(std::uintptr_t address, std::size_t bytes) {
    const double distance = use(address, bytes);
    return distance > 2 * static_cast<double>(bytes) ? distance : 0;
  }
  Ranges::iterator split(std::uintptr_t at);
  void add(std::size_t time, Count bytes);
  void subtract(std::size_t time, Count bytes) { add(time, Count{0} - bytes); }
  Count bytes_before(std::size_t time) const;
  void forget_order_of_old();
  void number_again();

  Ranges ranges_;
  std::size_t now_ = 0;         // the time of the next use
  Count total_ = 0;             // of all ranges
  std::vector<Count> sums_{0};  // of bytes by time: a Fenwick tree, from 1
};

}  // namespace strata
