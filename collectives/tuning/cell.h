// SPDX-License-Identifier: LGPL-2.1-only
// A cell of a grid of calls: an operation, a number of ranks and a size. For example, an allreduce of 1 KiB on 64
// ranks:
//
//   call_of({Operation::kAllreduce, 64, 1024})      64 ranks, 256 elements of 4 B
//
// Elements are bytes, and floats of 4 B in reductions, as osu_allreduce and its like have them. Blocks are equal.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "collectives/rules/call.h"
#include "collectives/schedules/collective.h"

namespace strata::collectives {

inline constexpr std::int64_t kFloatBytes = 4;

struct Cell {
  Operation operation = Operation::kBcast;
  int ranks = 2;
  std::int64_t bytes = 0;  // as in Call::bytes
  auto operator<=>(const Cell&) const = default;
};

/// The size of an element, B.
constexpr std::int64_t element_bytes(Operation operation) { return reduces(operation) ? kFloatBytes : 1; }

/// `where`: the option that gave the size. Throws InputError if the bytes are not a whole number of elements.
Collective call_of(const Cell& cell, const std::string& where, int root = 0);

/// The size that a file of rules compares in this call (tuned_rule_bytes).
std::int64_t rule_bytes(const Cell& cell);

/// "allreduce of 1024 B on 64 ranks".
std::string text_of(const Cell& cell);

}  // namespace strata::collectives
