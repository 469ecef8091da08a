// SPDX-License-Identifier: LGPL-2.1-only
// Units as types: a number with the wrong unit does not compile. Raw doubles appear only at SimGrid's border and in
// JSON, where the key's suffix or a `unit` field says what they are.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

/// A value in the SI unit that Tag names. A plain value type; thread-safe as an int is.
template <class Tag>
struct Quantity {
  double value = 0;

  constexpr Quantity() = default;
  explicit constexpr Quantity(double v) : value(v) {}
  friend constexpr auto operator<=>(const Quantity&, const Quantity&) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
  friend constexpr Quantity operator*(double k, Quantity a) { return Quantity(k * a.value); }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

using Seconds = Quantity<struct SecondsTag>;
using Bytes = Quantity<struct BytesTag>;
using BytesPerSecond = Quantity<struct BytesPerSecondTag>;
using FlopsPerSecond = Quantity<struct FlopsPerSecondTag>;

constexpr Seconds operator/(Bytes m, BytesPerSecond b) { return Seconds(m.value / b.value); }

/// The factor from `unit` to the SI unit of the dimension ("time", "bandwidth", "speed", "size", "copies"), or 0 if the
/// dimension has no such unit. Decimal prefixes are powers of 1000, binary ones (Ki, Mi, Gi) of 1024.
double unit_factor(std::string_view dimension, std::string_view unit);

/// The units of a dimension that `unit_factor` accepts.
std::vector<std::string> unit_names(std::string_view dimension);

}  // namespace strata
