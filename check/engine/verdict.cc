// SPDX-License-Identifier: LGPL-2.1-only
#include "check/engine/verdict.h"

#include <array>
#include <utility>

namespace strata::check {
namespace {

constexpr std::array<std::pair<Verdict, const char*>, 11> kNames = {{
    {Verdict::kHolds, "holds"},
    {Verdict::kViolated, "violated"},
    {Verdict::kNotReached, "not reached"},
    {Verdict::kUnknown, "unknown"},
    {Verdict::kNotCovered, "not covered"},
    {Verdict::kMissing, "missing"},
    {Verdict::kDeadlock, "deadlock"},
    {Verdict::kAborted, "aborted"},
    {Verdict::kCrashed, "crashed"},
    {Verdict::kUnmatched, "unmatched"},
    {Verdict::kUndecided, "undecided"},
}};

}  // namespace

const char* name_of(Verdict verdict) {
  for (const auto& [known, name] : kNames) {
    if (known == verdict) return name;
  }
  return "";
}

std::optional<Verdict> verdict_named(std::string_view name) {
  for (const auto& [verdict, known] : kNames) {
    if (known == name) return verdict;
  }
  return std::nullopt;
}

}  // namespace strata::check
