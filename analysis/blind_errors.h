// SPDX-License-Identifier: LGPL-2.1-only
// How far simulated times were off on measurements that no figure of their machines was fitted to
// (docs/validation.md), by class of operation. For example, on 1981 collectives of which the algorithm was known, by a
// factor of 1.51 in the median, and of at most 3.81 in 95 % of cases.
//
// This is beside an error bar, never in it: a bar is about the figures of one machine, these errors are also about what
// the model leaves out, and about other machines than the user's.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/json.h"
#include "base/words.h"

namespace strata::analysis {

enum class Algorithm {
  kNone,    // messages without a collective
  kKnown,   // the one that was measured is simulated
  kNative,  // the MPI chose, and so did SMPI in the simulation
};
inline constexpr Word<Algorithm> kAlgorithmWords[] = {
    {Algorithm::kNone, "none"}, {Algorithm::kKnown, "known"}, {Algorithm::kNative, "native"}};

/// An error is predicted / measured, or its inverse, whichever is above 1.
struct BlindErrors {
  const char* operation;  // "messages", "collectives" (all of them), or one collective, such as "bcast"
  Algorithm algorithm;
  std::size_t points;
  double median, p95;  // 95 % of the points have at most this error
};

/// Messages come first, then all collectives, then each by its name. tools/validation writes the numbers.
std::span<const BlindErrors> blind_errors();

/// One line, with a line feed, about messages and all collectives.
std::string blind_errors_text();
/// All classes (replay.schema.json#/definitions/blind_errors).
Json blind_errors_json();

}  // namespace strata::analysis
