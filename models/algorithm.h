// SPDX-License-Identifier: LGPL-2.1-only
// The algorithms of the collectives, by the names that scenarios and records use.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace strata::models {

enum class Algorithm {
  kLinear,
  kChain,
  kPipeline,
  kSplitBinary,
  kBinary,
  kBinomial,
  kInOrderBinary,
  kRing,
  kRecursiveDoubling
};

inline constexpr std::array<std::pair<std::string_view, Algorithm>, 9> kAlgorithms = {{
    {"linear", Algorithm::kLinear},
    {"chain", Algorithm::kChain},
    {"pipeline", Algorithm::kPipeline},
    {"split-binary", Algorithm::kSplitBinary},
    {"binary", Algorithm::kBinary},
    {"binomial", Algorithm::kBinomial},
    {"in-order-binary", Algorithm::kInOrderBinary},
    {"ring", Algorithm::kRing},
    {"recursive-doubling", Algorithm::kRecursiveDoubling},
}};

/// Number of chains of the chain algorithm: Open MPI 2.0.1's coll_tuned_init_chain_fanout, and MPIX_CHAIN_FANOUT.
inline constexpr int kChains = 4;

constexpr std::optional<Algorithm> find_algorithm(std::string_view name) {
  for (const auto& [known, algorithm] : kAlgorithms) {
    if (known == name) return algorithm;
  }
  return std::nullopt;
}

constexpr std::string_view name_of(Algorithm algorithm) {
  for (const auto& [name, known] : kAlgorithms) {
    if (known == algorithm) return name;
  }
  return "";
}

}  // namespace strata::models
