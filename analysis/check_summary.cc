// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/check_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/format.h"

namespace strata::analysis {

std::vector<CheckSummary> summarize(const Study& study, const std::vector<models::CheckRow>& checks) {
  std::vector<CheckSummary> all;
  for (const ModelCheck& m : study.models) all.push_back({m.model, m.tolerance, 0, 0, 0, 0, {}});
  for (const models::CheckRow& row : checks) {
    auto s = std::find_if(all.begin(), all.end(), [&](const CheckSummary& c) { return c.model == row.model; });
    if (s == all.end()) s = all.insert(s, CheckSummary{row.model, row.tolerance, 0, 0, 0, 0, {}});
    switch (row.verdict) {
      case models::Verdict::kAgrees:
        ++s->agree;
        if (std::abs(row.residual) > std::abs(s->largest_agreeing)) s->largest_agreeing = row.residual;
        break;
      case models::Verdict::kDisagrees:
        ++s->disagree;
        break;
      case models::Verdict::kOutside:
        ++s->outside;
        s->outside_why.push_back(row.reason.substr(0, row.reason.find(':')));
        break;
    }
  }
  for (CheckSummary& s : all) {
    const std::set<std::string> kinds(s.outside_why.begin(), s.outside_why.end());
    s.outside_why.assign(kinds.begin(), kinds.end());
  }
  return all;
}

std::string summary_line(const CheckSummary& s) {
  if (s.agree + s.outside + s.disagree == 0) return s.model + ": no point was checked";
  const std::string why = s.outside_why.empty() ? "" : fmt::format(" ({})", fmt::join(s.outside_why, ", "));
  return fmt::format("{}: {} points within {} %, {} outside the model{}, {} disagree", s.model, s.agree,
                     shortest(s.tolerance * 100), s.outside, why, s.disagree);
}

std::string verdict_text(models::Verdict verdict) {
  switch (verdict) {
    case models::Verdict::kAgrees:
      return "agrees";
    case models::Verdict::kDisagrees:
      return "DISAGREES";
    case models::Verdict::kOutside:
      break;
  }
  return "outside the model";
}

}  // namespace strata::analysis
