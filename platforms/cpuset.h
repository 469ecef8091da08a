// SPDX-License-Identifier: LGPL-2.1-only
// A set of PUs by their OS indexes: hwloc's bitmap as a value.
#pragma once

#include <hwloc.h>

#include <optional>
#include <string>

namespace strata {

/// A finite or infinite set of OS indexes. Copying copies the bitmap. Reading one object from several threads is safe.
class Cpuset {
 public:
  Cpuset();
  explicit Cpuset(hwloc_const_bitmap_t set);
  Cpuset(const Cpuset& other);
  Cpuset(Cpuset&& other) noexcept;
  Cpuset& operator=(Cpuset other) noexcept;
  ~Cpuset();

  /// Parses hwloc's list syntax ("0-3,8"). Empty if the text has a different syntax or names no index.
  static std::optional<Cpuset> parse(const std::string& list);

  /// The list syntax; "" for the empty set.
  std::string list() const;

  bool empty() const { return hwloc_bitmap_iszero(set_); }
  bool infinite() const { return hwloc_bitmap_weight(set_) < 0; }
  int count() const { return hwloc_bitmap_weight(set_); }
  int first() const { return hwloc_bitmap_first(set_); }
  /// The next index after `index`, or -1.
  int next(int index) const { return hwloc_bitmap_next(set_, index); }
  bool contains(int index) const { return hwloc_bitmap_isset(set_, index); }
  bool includes(const Cpuset& other) const { return hwloc_bitmap_isincluded(other.set_, set_); }
  bool intersects(const Cpuset& other) const { return hwloc_bitmap_intersects(set_, other.set_); }
  void add(int index) { hwloc_bitmap_set(set_, index); }
  Cpuset& operator|=(const Cpuset& other);
  Cpuset& operator&=(const Cpuset& other);
  friend bool operator==(const Cpuset& a, const Cpuset& b) { return hwloc_bitmap_isequal(a.set_, b.set_); }

  hwloc_bitmap_t bitmap() { return set_; }
  hwloc_const_bitmap_t bitmap() const { return set_; }

 private:
  hwloc_bitmap_t set_;
};

}  // namespace strata
