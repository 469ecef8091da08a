// SPDX-License-Identifier: LGPL-2.1-only
// `strata check SCENARIO`: compares the simulation with the models, and the results with the scenario's claims. It
// prints one verdict per line, for use in CI.
//
// A claim that is not reproduced is a violation. If this is known and explained, CI can compare with the verdicts of an
// earlier `--json` (--expect) instead: then any change is a violation, in either direction.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "check/engine/verdict.h"
#include "records/record.h"

namespace strata::command {

struct ScenarioCheck {
  std::string kind;  // "model" or "claim"
  std::string name;  // name of the model, or ID of the claim
  check::Verdict verdict = check::Verdict::kHolds;
  std::string why;  // one line
  std::optional<check::Verdict> expected = std::nullopt;
};

struct ScenarioResult {
  std::string scenario, machine;
  std::vector<ScenarioCheck> checks;

  /// Whether every verdict is the expected one, or, if none is expected, kHolds or kNotCovered.
  bool holds() const;
  /// kViolated unless holds(); kNotCovered if no check covers anything; otherwise kHolds.
  check::Verdict verdict() const;
};

/// Throws InputError if the study has neither models nor claims; `where` is named in the error.
void require_checks(const Study& study, const std::string& where);

/// Throws InputError if the results lack something that the study names, or as require_checks does.
ScenarioResult check_results(const Results& results);

/// The verdicts in a document printed by `strata check --json`, by scenario, kind and name.
class Expected {
 public:
  /// Throws InputError if the file is not such a document.
  explicit Expected(const std::string& file);
  /// Sets the expected verdicts. A check that exists only in the file is added as kMissing.
  void apply(ScenarioResult& result) const;

 private:
  std::map<std::string, std::vector<analysis::Quantity>> verdicts_;  // by scenario
};

std::string text_of(const ScenarioResult& result);
Json json_of(const ScenarioResult& result);

}  // namespace strata::command
