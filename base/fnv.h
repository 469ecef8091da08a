// SPDX-License-Identifier: LGPL-2.1-only
// FNV-1a with 64 bits: a hash that is the same in all processes and on all computers. For example:
//
//   fnv1a("foobar")                      0x85944171f73967e8
//   fnv1a("bar", fnv1a("foo"))           the same
//
// Source: Fowler, Noll, Vo, Eastlake: "The FNV Non-Cryptographic Hash Algorithm", draft-eastlake-fnv.
#pragma once

#include <cstdint>
#include <string_view>

namespace strata {

constexpr std::uint64_t kFnvOffsetBasis = 0xcbf29ce484222325, kFnvPrime = 0x100000001b3;

/// Continued from `hash`.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = kFnvOffsetBasis) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kFnvPrime;
  return hash;
}

}  // namespace strata
