// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/causes.h"

#include <fmt/format.h>

#include "analysis/markdown_text.h"

namespace strata::analysis {
namespace {

constexpr const char* kNotStated = "not stated";

std::string meaning_of(Missing missing) {
  switch (missing) {
    case Missing::kMemory:
      return "the memory that cores share, and caches";
    case Missing::kMechanism:
      return "something else of the hardware or the MPI that the simulation does not have";
    case Missing::kParameter:
      return "a figure or a setting that no source gives";
    case Missing::kPaper:
      return "the paper leaves it open, or contradicts itself";
    case Missing::kImpossible:
      return "no machine as described can do it";
    case Missing::kOurs:
      return "our implementation differs";
    case Missing::kNothing:
      break;
  }
  return "";
}

}  // namespace

Causes::Causes() {
  for (const Word<Missing>& word : kMissingWords) {
    if (word.value != Missing::kNothing) causes_.push_back({word.name, meaning_of(word.value)});
  }
  causes_.push_back({kNotStated, "the scenario names no cause"});
  causes_.push_back({"has a cause but is reproduced", ""});
}

void Causes::add(const std::string& scenario, const std::vector<ClaimResult>& claims) {
  for (const ClaimResult& r : claims) {
    const bool stated = r.claim.missing != Missing::kNothing;
    if (r.outcome == Outcome::kUnknown || (r.outcome == Outcome::kReproduced && !stated)) continue;
    const std::string name = r.outcome == Outcome::kReproduced ? causes_.back().name
                             : stated                          ? word_of(kMissingWords, r.claim.missing)
                                                               : kNotStated;
    for (Cause& cause : causes_) {
      if (cause.name != name) continue;
      ++cause.claims;
      if (cause.scenarios.empty() || cause.scenarios.back().first != scenario) cause.scenarios.push_back({scenario, 0});
      ++cause.scenarios.back().second;
    }
  }
}

std::vector<Cause> Causes::counts() const {
  std::vector<Cause> counted = causes_;
  std::erase_if(counted, [](const Cause& c) { return c.claims == 0; });
  return counted;
}

std::string Causes::markdown() const {
  const std::vector<Cause> counted = counts();
  if (counted.empty()) return "";
  std::string out = markdown_head({"cause", "claims", "scenarios"}, "lrl");
  for (const Cause& cause : counted) {
    std::vector<std::string> scenarios;
    for (const auto& [name, claims] : cause.scenarios) scenarios.push_back(fmt::format("{} ({})", name, claims));
    const std::string what = cause.meaning.empty() ? cause.name : cause.name + ": " + cause.meaning;
    out += markdown_row({markdown_text(what), std::to_string(cause.claims),
                         markdown_text(fmt::format("{}", fmt::join(scenarios, ", ")))});
  }
  return out + "\n";
}

std::string cause_text(const ClaimResult& r) {
  const std::string word = word_of(kMissingWords, r.claim.missing);
  if (r.outcome == Outcome::kReproduced) return word.empty() ? "" : word + ", but is reproduced";
  if (r.outcome == Outcome::kNotReproduced && word.empty()) return kNotStated;
  return word;
}

}  // namespace strata::analysis
