// SPDX-License-Identifier: LGPL-2.1-only
// A sparse communication matrix: bytes by sender and receiver. Mappings know nothing else of an application.
#pragma once

#include <span>
#include <vector>

namespace strata {

/// An entry: bytes that rank `from` sends to rank `to`.
struct Flow {
  int from = 0;
  int to = 0;
  double bytes = 0;
};

/// Rows of peers in increasing order, without zeroes. Immutable. O(order + entries) memory: 12 bytes an entry.
class Pattern {
 public:
  /// Entries of the same pair are added; zeroes are left out; what a rank sends to itself is kept. Throws
  /// std::invalid_argument where a rank is not below `order`, or bytes are negative or not finite. O(entries log).
  Pattern(int order, std::vector<Flow> flows);

  int order() const { return static_cast<int>(first_.size()) - 1; }
  long entries() const { return first_.back(); }
  std::span<const int> peers(int rank) const {
    return std::span(peer_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }
  /// By peer, in the order of peers().
  std::span<const double> bytes(int rank) const {
    return std::span(bytes_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }

  /// What each pair exchanges, both ways together, in both rows; without what a rank sends to itself. That is all that
  /// hop-bytes depend on.
  Pattern symmetric() const;

 private:
  Pattern() = default;

  std::vector<long> first_;
  std::vector<int> peer_;
  std::vector<double> bytes_;
};

}  // namespace strata
