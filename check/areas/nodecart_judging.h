// SPDX-License-Identifier: LGPL-2.1-only
// Helpers of the properties of the area nodecart.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "check/areas/nodecart_properties.h"

namespace strata::check::nodecart {

inline constexpr const char* kNodecartPaper = "EuroMPI'18, Section 2.1";
inline constexpr const char* kMultilevelPaper = "EuroMPI'18, Section 2.2";
inline constexpr const char* kHeader = "mpi_ext/cart/cart_mapping.h";

inline bool has_equal_nodes(const NodecartCase& c) { return is_equal(c.places.nodes()); }

/// "2x3"
inline std::string text_of(const std::vector<int>& numbers) {
  return numbers.empty() ? "none" : fmt::format("{}", fmt::join(numbers, "x"));
}

inline long product(const std::vector<int>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 1L, std::multiplies<>());
}

/// The result of a method in this case.
inline const NodecartOutcome::Mapped& of(const NodecartOutcome& o, mpix::CartMethod method) {
  return o.methods[static_cast<size_t>(method)];
}

}  // namespace strata::check::nodecart
