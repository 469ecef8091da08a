// SPDX-License-Identifier: LGPL-2.1-only
// The bounds within which the cases of an area are enumerated. A verdict holds within these bounds.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace strata::check {

struct Bound {
  std::string name;  // "depth", "arity", "ranks"
  long value = 0;
  long least = 0, most = 0;  // the range that a user may select
  std::string about;         // the quantity that is bounded, in one line
};

/// Bounds in the order in which they are printed.
class Bounds {
 public:
  Bounds() = default;
  Bounds(std::initializer_list<Bound> bounds) : bounds_(bounds) {}

  /// Throws std::out_of_range if there is no such bound: an area only asks for bounds that it has declared.
  int operator[](std::string_view name) const;
  const std::vector<Bound>& all() const { return bounds_; }
  /// Whether there is a bound of this name.
  bool has(std::string_view name) const;
  /// Throws InputError if no bound has this name or the value is out of its range.
  void set(const std::string& name, long value, const std::string& area);
  /// "depth 3, arity 3, ranks 4".
  std::string text() const;

 private:
  std::vector<Bound> bounds_;
};

}  // namespace strata::check
