// SPDX-License-Identifier: LGPL-2.1-only
// Compares a paper's claims with the results of a run. Our value is the largest (or smallest) value over the points to
// which a claim applies, the ratio of the largest to the smallest (their spread), the place of the smallest, or the
// share of points with a gain. The claim is reproduced if our value agrees with the paper's within the factor given
// before the run (or is at least, or at most, the paper's).
//
// A claim is unknown while one of its points is missing, because the missing point could be the best one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/table.h"

namespace strata::analysis {

enum class Outcome { kReproduced, kNotReproduced, kUnknown };

struct ClaimResult {
  Claim claim;
  std::string unit;             // of our value and the paper's; empty for a ratio
  std::optional<double> ours;   // over the points that exist
  std::optional<double> ratio;  // ours / the paper's; none if the paper's is 0
  Json at = Json::object();     // parameters of the best point (the first of equal ones); for a spread, of the largest
  size_t points = 0;            // number of points to which the claim applies
  size_t missing = 0;           // how many of them are missing
  Outcome outcome = Outcome::kUnknown;
};

/// Judges one claim. Throws InputError if its quantity, or a parameter of `where` or `over`, is unknown; `where` is the
/// file named in the error.
ClaimResult judge(const Claim& claim, const std::vector<Table>& quantities, const std::string& where);

/// All claims of a run, in the study's order.
std::vector<ClaimResult> judge_claims(const Results& results, const std::vector<Table>& quantities);

/// "reproduced", "not reproduced", "unknown".
std::string outcome_text(Outcome outcome);

/// The required agreement: "factor 1.25", "at least", "at most".
std::string relation_text(const Claim& claim);

/// The paper's value as stated, with its unit: "21", "7.57 s".
std::string paper_value_text(const ClaimResult& result);

/// The place of the best point, what is missing, and the claim's note, as plain text for the last column of a table.
std::string why_text(const ClaimResult& result);

}  // namespace strata::analysis
