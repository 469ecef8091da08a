// SPDX-License-Identifier: LGPL-2.1-only
// A paper's claims beside what came out: ours is the largest (or smallest) value over the points that a claim is about,
// or the largest divided by the smallest (how far they spread), or where the smallest is, and reproduces the paper's
// where it is within the factor that the claim was given before the run (or at least, or at most, the paper's).
//
// A claim stays unknown while a point it is about is missing: the missing one could be the best.
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
  std::string unit;             // of ours and of the paper's value; empty for a ratio
  std::optional<double> ours;   // over the points that are there
  std::optional<double> ratio;  // ours / the paper's; none where that is 0
  Json at = Json::object();     // the parameters of the best point (the first of equal ones); of a spread, the largest
  size_t points = 0;            // that the claim is about
  size_t missing = 0;           // of these
  Outcome outcome = Outcome::kUnknown;
};

/// Judges one claim. Throws InputError where its quantity, a parameter of `where` or `over` is not known; `where` is
/// the file it names.
ClaimResult judge(const Claim& claim, const std::vector<Table>& quantities, const std::string& where);

/// All claims of a run, in the study's order.
std::vector<ClaimResult> judge_claims(const Results& results, const std::vector<Table>& quantities);

/// "reproduced", "not reproduced", "unknown".
std::string outcome_text(Outcome outcome);

/// How near ours must be: "factor 1.25", "at least", "at most".
std::string relation_text(const Claim& claim);

/// The paper's value as it was given, with its unit: "21", "7.57 s".
std::string paper_value_text(const ClaimResult& result);

/// Where the best point is, what is missing, and the claim's note: plain text, for the last column of a table.
std::string why_text(const ClaimResult& result);

}  // namespace strata::analysis
