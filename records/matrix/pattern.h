// SPDX-License-Identifier: LGPL-2.1-only
// A sparse communication matrix: bytes by sender and receiver. It is the only input about an application that mappings
// use.
#pragma once

#include <span>
#include <vector>

namespace strata {

/// An entry: the bytes that rank `from` sends to rank `to`.
struct Flow {
  int from = 0;
  int to = 0;
  double bytes = 0;
};

/// Rows of peers in ascending order, without zeroes. Immutable. O(order + entries) memory: 12 bytes for each entry.
class Pattern {
 public:
  /// Entries of the same pair are added; zeroes are omitted; messages of a rank to itself are kept. Throws
  /// std::invalid_argument if a rank is not below `order`, or bytes are negative or not finite. O(entries log entries).
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

  /// The bytes that each pair exchanges in both directions, in both rows, without those of a rank to itself. Hop-bytes
  /// depend only on this.
  Pattern symmetric() const;

 private:
  Pattern() = default;

  std::vector<long> first_;
  std::vector<int> peer_;
  std::vector<double> bytes_;
};

}  // namespace strata
