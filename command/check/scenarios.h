// `strata check SCENARIO`: the simulation against the models, and the results against the scenario's claims, a verdict
// a line, for use in CI.
//
// A claim that is not reproduced is a violation, for the command takes nothing on trust. Where it is known and
// explained, CI holds the verdicts against those of an earlier `--json` (--expect): what changes is a violation then,
// in either direction.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "records/record.h"

namespace strata::command {

struct ScenarioCheck {
  std::string kind;           // "model" or "claim"
  std::string name;           // of the model; id of the claim
  std::string verdict;        // "holds", "violated", or "unknown": no point of it is there
  std::string why;            // in one line
  std::string expected = {};  // the verdict that was expected; empty where none was
};

struct ScenarioResult {
  std::string scenario, machine;
  std::vector<ScenarioCheck> checks;

  /// Whether every verdict is "holds", or, where one is expected, the expected one.
  bool holds() const;
};

/// Throws InputError where the run lacks what the study names.
ScenarioResult check_results(const Results& results);

/// Verdicts by scenario, kind and name, as json_of() has written them into a document of `strata check --json`.
class Expected {
 public:
  /// Throws InputError where the file is no such document.
  explicit Expected(const std::string& file);
  /// Sets what is expected. What the file has and `result` has not is added as "missing".
  void apply(ScenarioResult& result) const;

 private:
  std::map<std::string, std::vector<ScenarioCheck>> checks_;  // by scenario
};

std::string text_of(const ScenarioResult& result);
Json json_of(const ScenarioResult& result);

}  // namespace strata::command
