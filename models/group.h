// SPDX-License-Identifier: LGPL-2.1-only
// The participants of a collective: ranks of the whole, in the order of their communicator, and the root among them.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace strata::models {

class Group {
 public:
  /// `root` is an index into `members`. Keeps the span. Throws std::invalid_argument if `members` is empty or `root` is
  /// invalid.
  explicit Group(std::span<const int> members, int root = 0) : members_(members), root_(root) {
    if (members.empty()) throw std::invalid_argument("a collective over 0 ranks");
    if (root < 0 || root >= size()) {
      throw std::invalid_argument("root " + std::to_string(root) + " of " + std::to_string(size()) + " ranks");
    }
  }

  int size() const { return static_cast<int>(members_.size()); }
  int root() const { return root_; }
  /// The same members with the first as the root.
  Group from_first() const { return Group(members_); }
  /// The member with this index.
  int member(int index) const { return members_[index]; }
  /// The index of a tree's vertex v, counted from the root.
  int index_at(int v) const { return (v + root_) % size(); }
  /// The member at a tree's vertex v.
  int at(int v) const { return members_[index_at(v)]; }

 private:
  std::span<const int> members_;
  int root_;
};

}  // namespace strata::models
