// SPDX-License-Identifier: LGPL-2.1-only
// `strata check SCENARIO`: compare the simulation with the models and the results with the scenario's claims, one
// verdict a line, for use in CI.
//
// A claim that is not reproduced is a violation. Where it is known and explained, CI compares the verdicts with those
// of an earlier `--json` (--expect): then any change is a violation, in either direction.
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
  std::string name;  // of the model; id of the claim
  check::Verdict verdict = check::Verdict::kHolds;
  std::string why;  // in one line
  std::optional<check::Verdict> expected = std::nullopt;
};

struct ScenarioResult {
  std::string scenario, machine;
  std::vector<ScenarioCheck> checks;

  /// Whether every verdict is kHolds or kNotCovered, or, where one is expected, the expected one.
  bool holds() const;
  /// kViolated where one is not as it must be; kNotCovered where nothing holds because nothing is covered; else kHolds.
  check::Verdict verdict() const;
};

/// Throws InputError where the results lack something that the study names.
ScenarioResult check_results(const Results& results);

/// The verdicts of a document that `strata check --json` printed, by scenario, kind and name.
class Expected {
 public:
  /// Throws InputError where the file is not such a document.
  explicit Expected(const std::string& file);
  /// Sets what is expected. A check that is in the file alone is added as kMissing.
  void apply(ScenarioResult& result) const;

 private:
  std::map<std::string, std::vector<analysis::Quantity>> verdicts_;  // by scenario
};

std::string text_of(const ScenarioResult& result);
Json json_of(const ScenarioResult& result);

}  // namespace strata::command
