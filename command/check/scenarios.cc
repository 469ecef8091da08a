// SPDX-License-Identifier: LGPL-2.1-only
#include "command/check/scenarios.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "analysis/check_summary.h"
#include "analysis/claims.h"
#include "analysis/compared_documents.h"
#include "analysis/derive.h"
#include "analysis/format.h"
#include "base/error.h"
#include "base/input_file.h"
#include "models/crosscheck.h"

namespace strata::command {
namespace {

using check::Verdict;

// Points outside the model's assumptions are shown but not judged. If all are outside, the model was not compared.
Verdict verdict_of(const analysis::CheckSummary& s) {
  if (s.disagree > 0) return Verdict::kViolated;
  if (s.agree > 0) return Verdict::kHolds;
  return s.outside > 0 ? Verdict::kNotCovered : Verdict::kUnknown;
}

Verdict verdict_of(analysis::Outcome outcome) {
  switch (outcome) {
    case analysis::Outcome::kReproduced:
      return Verdict::kHolds;
    case analysis::Outcome::kNotReproduced:
      return Verdict::kViolated;
    default:
      return Verdict::kUnknown;
  }
}

ScenarioCheck check_of(const analysis::CheckSummary& s) {
  const std::string line = analysis::summary_line(s);
  return {"model", s.model, verdict_of(s), line.substr(s.model.size() + 2)};
}

ScenarioCheck check_of(const analysis::ClaimResult& r) {
  const std::string ours = r.ours ? analysis::with_unit(*r.ours, r.unit, 3) : "no value";
  const std::string missing = r.missing > 0 ? fmt::format(" ({} of {} points are missing)", r.missing, r.points) : "";
  return {"claim", r.claim.id, verdict_of(r.outcome),
          fmt::format("{} against {} ({}){}: {}", ours, analysis::paper_value_text(r), analysis::relation_text(r.claim),
                      missing, r.claim.text)};
}

// Throws if a document has an unknown verdict.
Verdict verdict_in(const analysis::Quantity& q) { return check::verdict_named(std::get<std::string>(q.value)).value(); }

bool is_as_wanted(const ScenarioCheck& c) {
  if (c.expected) return c.verdict == *c.expected;
  return c.verdict == Verdict::kHolds || c.verdict == Verdict::kNotCovered;
}

}  // namespace

bool ScenarioResult::holds() const { return std::all_of(checks.begin(), checks.end(), is_as_wanted); }

Verdict ScenarioResult::verdict() const {
  if (!holds()) return Verdict::kViolated;
  const bool nothing_covered = std::all_of(checks.begin(), checks.end(),
                                           [](const ScenarioCheck& c) { return c.verdict == Verdict::kNotCovered; });
  return nothing_covered ? Verdict::kNotCovered : Verdict::kHolds;
}

void require_checks(const Study& study, const std::string& where) {
  if (!study.models.empty() || !study.claims.empty()) return;
  throw InputError(where, "has neither models nor claims, so there is nothing to check",
                   "add `models:` or `claims:` to the scenario (docs/reference/scenario.md)");
}

ScenarioResult check_results(const Results& results) {
  const Manifest& m = results.manifest;
  require_checks(m.study, m.study.scenario);
  ScenarioResult result{m.study.scenario, m.machine, {}};
  for (const analysis::CheckSummary& s : analysis::summarize(m.study, models::cross_check(results)))
    result.checks.push_back(check_of(s));
  for (const analysis::ClaimResult& r : analysis::judge_claims(results, analysis::quantities(results)))
    result.checks.push_back(check_of(r));
  return result;
}

Expected::Expected(const std::string& file) {
  std::ifstream in = open_input(file, "give a document that `strata check SCENARIO --json` printed");
  const Json json = Json::parse(in, nullptr, false);
  const analysis::Document document(json, file, "");
  try {
    if (json.is_discarded() || document.at("schema").text() != "strata.check/1") throw std::runtime_error("");
    for (const analysis::Document& scenario : document.at("scenarios").items()) {
      std::vector<analysis::Quantity>& verdicts = verdicts_[scenario.at("scenario").text()];
      for (analysis::Quantity& q : analysis::verdicts_of(scenario)) {
        verdict_in(q);
        verdicts.push_back(std::move(q));
      }
    }
  } catch (const std::exception&) {
    throw InputError(file, "is not a document of schema strata.check/1 with scenarios",
                     "give one that `strata check SCENARIO --json` printed");
  }
}

void Expected::apply(ScenarioResult& result) const {
  const auto expected = verdicts_.find(result.scenario);
  if (expected == verdicts_.end()) return;
  std::vector<analysis::Quantity> ours;
  for (const ScenarioCheck& c : result.checks)
    ours.push_back({.metric = c.kind, .at = c.name, .unit = "", .value = name_of(c.verdict)});
  for (const analysis::Difference& d : analysis::compare_quantities(expected->second, ours, {})) {
    if (!d.base) continue;
    const analysis::Quantity& e = expected->second[*d.base];
    if (d.now) {
      result.checks[*d.now].expected = verdict_in(e);
    } else {
      result.checks.push_back({e.metric, e.at, Verdict::kMissing, "no longer in the scenario", verdict_in(e)});
    }
  }
}

std::string text_of(const ScenarioResult& r) {
  std::string text = fmt::format("{} on {}\n", r.scenario, r.machine);
  size_t width = 0;
  for (const ScenarioCheck& c : r.checks) width = std::max(width, c.name.size());
  for (const ScenarioCheck& c : r.checks) {
    const std::string expected = !c.expected                ? ""
                                 : *c.expected == c.verdict ? " (as expected)"
                                                            : fmt::format(" (EXPECTED: {})", name_of(*c.expected));
    text += fmt::format("  {:<11} {} {:<{}}  {}{}\n", name_of(c.verdict), c.kind, c.name, width, c.why, expected);
  }
  return text;
}

Json json_of(const ScenarioResult& r) {
  Json checks = Json::array();
  for (const ScenarioCheck& c : r.checks) {
    checks.push_back({{"kind", c.kind}, {"name", c.name}, {"verdict", name_of(c.verdict)}, {"why", c.why}});
    if (c.expected) checks.back()["expected"] = name_of(*c.expected);
  }
  return {{"scenario", r.scenario}, {"machine", r.machine}, {"verdict", name_of(r.verdict())}, {"checks", checks}};
}

}  // namespace strata::command
