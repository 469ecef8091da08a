// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/blind_errors.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace strata::analysis {
namespace {

constexpr BlindErrors kErrors[] = {
#include "analysis/blind_errors.inc"
};

const char* what_of(const BlindErrors& errors) {
  switch (errors.algorithm) {
    case Algorithm::kNone:
      return "messages";
    case Algorithm::kKnown:
      return "collectives with a known algorithm";
    case Algorithm::kNative:
      return "collectives with the MPI's choice";
  }
  return "";
}

}  // namespace

std::span<const BlindErrors> blind_errors() { return kErrors; }

std::string blind_errors_text() {
  std::string list;
  for (const BlindErrors& e : kErrors) {
    if (e.operation != std::string_view("messages") && e.operation != std::string_view("collectives")) continue;
    const bool first = list.empty();
    list += fmt::format("{}{:.2f}{} and up to {:.2f}{} for {}", first ? "" : ", ", e.median, first ? " (median)" : "",
                        e.p95, first ? " (95 % of cases)" : "", what_of(e));
  }
  return "on measured clusters, simulated times were off by a factor of " + list +
         " (docs/validation.md); the 95 % do not cover this\n";
}

Json blind_errors_json() {
  Json all = Json::array();
  for (const BlindErrors& e : kErrors) {
    all.push_back({{"operation", e.operation},
                   {"algorithm", word_of(kAlgorithmWords, e.algorithm)},
                   {"points", e.points},
                   {"median_error", e.median},
                   {"p95_error", e.p95}});
  }
  return all;
}

}  // namespace strata::analysis
