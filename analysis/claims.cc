// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "analysis/derive.h"
#include "analysis/format.h"
#include "base/error.h"

namespace strata::analysis {
namespace {

// The range of values that reproduces the paper's.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

Bounds bounds_of(const Claim& claim) {
  Bounds bounds;
  if (claim.relation == Relation::kAbout) {
    const auto [low, high] = std::minmax({claim.value / claim.factor, claim.value * claim.factor});  // for either sign
    return {low, high};
  }
  (claim.relation == Relation::kAtLeast ? bounds.low : bounds.high) = claim.value;
  return bounds;
}

constexpr double kGain = 1.01;  // a ratio within 1 % of 1 is not a gain

// `allowed`: a value or a list of values, from `where`.
bool is_one_of(const Json& value, const Json& allowed) {
  if (!allowed.is_array()) return value == allowed;
  return std::find(allowed.begin(), allowed.end(), value) != allowed.end();
}

}  // namespace

ClaimResult judge(const Claim& claim, const std::vector<Table>& quantities, const std::string& where) {
  const std::string who = fmt::format("claim '{}'", claim.id);
  const Table& table = quantity_named(quantities, claim.quantity, where, who);
  const bool spread = claim.over == Over::kSpread, share = claim.over == Over::kShareGaining;
  const bool argmin = claim.over == Over::kArgmin, least_counts = claim.over == Over::kMin || argmin;
  for (const auto& [name, value] : claim.where.items()) {
    if (find_axis(table.axes, name) == nullptr) {
      throw InputError(where, fmt::format("{} is where {} = {}, but {} has no such parameter", who, name,
                                          value_text(value), claim.quantity));
    }
  }
  ClaimResult result;
  result.claim = claim;
  result.unit = spread || share || argmin ? "" : table.unit;
  std::optional<double> least;
  size_t gaining = 0;
  for (size_t cell = 0; cell < table.cells.size(); ++cell) {
    const Json parameters = table.parameters_of(cell);
    const bool matches = std::all_of(claim.where.items().begin(), claim.where.items().end(), [&](const auto& item) {
      return is_one_of(parameters.at(item.key()), item.value());
    });
    if (!matches) continue;
    ++result.points;
    const std::optional<double> value = table.cells[cell];
    if (!value) {
      ++result.missing;
      continue;
    }
    if (!least || *value < *least) least = value;
    if (*value > kGain) ++gaining;
    const bool better = !result.ours || (least_counts ? *value < *result.ours : *value > *result.ours);
    if (!better) continue;
    result.ours = value;
    result.at = parameters;
  }
  if (!result.ours) return result;
  if (spread) {
    if (*least == 0) {  // then there is no ratio
      result.ours.reset();
      return result;
    }
    *result.ours /= *least;
  }
  if (argmin) {
    const Json& value = result.at.contains(claim.axis) ? result.at[claim.axis] : Json();
    if (!value.is_number()) {
      throw InputError(where,
                       fmt::format("{} asks for argmin of '{}', which is not an axis of numbers", who, claim.axis));
    }
    result.ours = value.get<double>();
  }
  if (share) {
    result.ours = static_cast<double>(gaining) / static_cast<double>(result.points - result.missing);
    result.at = Json::object();
  }
  if (claim.value != 0) result.ratio = *result.ours / claim.value;
  if (result.missing > 0) return result;
  const Bounds bounds = bounds_of(claim);
  const bool within = *result.ours >= bounds.low && *result.ours <= bounds.high;
  result.outcome = within ? Outcome::kReproduced : Outcome::kNotReproduced;
  return result;
}

std::vector<ClaimResult> judge_claims(const Results& results, const std::vector<Table>& quantities) {
  const std::string where = (results.folder / "manifest.json").string();
  std::vector<ClaimResult> all;
  for (const Claim& claim : results.manifest.study.claims) all.push_back(judge(claim, quantities, where));
  return all;
}

std::string outcome_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::kReproduced:
      return "reproduced";
    case Outcome::kNotReproduced:
      return "not reproduced";
    case Outcome::kUnknown:
      break;
  }
  return "unknown";
}

std::string relation_text(const Claim& claim) {
  if (claim.relation == Relation::kAbout) return "factor " + shortest(claim.factor);
  return claim.relation == Relation::kAtLeast ? "at least" : "at most";
}

std::string paper_value_text(const ClaimResult& r) {
  const Scale scale = scale_for(r.claim.value, r.unit);
  return shortest(r.claim.value * scale.factor) + (scale.unit.empty() ? "" : " " + scale.unit);
}

std::string why_text(const ClaimResult& r) {
  std::vector<std::string> parts;
  if (r.points == 0) parts.push_back("this run has no point that the claim covers");
  if (r.missing > 0) parts.push_back(fmt::format("{} of {} points missing", r.missing, r.points));
  if (r.ours && !r.at.empty()) {
    const bool least = r.claim.over == Over::kMin || r.claim.over == Over::kArgmin;
    parts.push_back(fmt::format("{} at {}", least ? "min" : "max", parameters_text(r.at)));
  }
  if (r.outcome == Outcome::kNotReproduced) {
    const Bounds bounds = bounds_of(r.claim);
    if (r.claim.relation == Relation::kAbout) {
      parts.push_back(
          fmt::format("outside {} to {}", with_unit(bounds.low, r.unit, 3), with_unit(bounds.high, r.unit, 3)));
    }
  }
  if (!r.claim.note.empty()) parts.push_back(r.claim.note);
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace strata::analysis
