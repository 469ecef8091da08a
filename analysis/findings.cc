// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace strata::analysis {
namespace {

using Json = nlohmann::ordered_json;

void add_rank(std::vector<int>& ranks, int rank) {
  const auto at = std::lower_bound(ranks.begin(), ranks.end(), rank);
  if (at == ranks.end() || *at != rank) ranks.insert(at, rank);
}

// All but the ranks.
std::string key_of(const FoundCall& call) {
  return fmt::format("{}|{}|{}|{}|", call.function, call.at.file, call.at.offset, call.text);
}

std::string key_of(const Finding& finding) {
  std::string key = finding.kind + "|" + finding.check + "|" + key_of(finding.call);
  for (const FoundCall& other : finding.others) key += key_of(other);
  return key;
}

// "rank 1", "ranks 1 and 3", "ranks 0 to 3", "ranks 0, 2 and 4".
std::string ranks_text(const std::vector<int>& ranks) {
  if (ranks.size() == 1) return fmt::format("rank {}", ranks[0]);
  const bool consecutive = ranks.back() - ranks.front() + 1 == static_cast<int>(ranks.size());
  if (consecutive && ranks.size() > 2) return fmt::format("ranks {} to {}", ranks.front(), ranks.back());
  constexpr size_t kMost = 8;
  if (ranks.size() > kMost) return fmt::format("{} ranks, from {} to {},", ranks.size(), ranks.front(), ranks.back());
  const std::vector<int> first(ranks.begin(), ranks.end() - 1);
  return fmt::format("ranks {} and {}", fmt::join(first, ", "), ranks.back());
}

std::string place_text(const FoundCall& call, const std::string& program) {
  if (!call.location.empty()) return " at " + call.location;
  if (call.at.offset == 0) return "";
  const std::string file = call.at.file.empty() ? program : call.at.file.substr(call.at.file.rfind('/') + 1);
  return fmt::format(" at {:#x} of {}", call.at.offset, file);
}

std::string call_text(const MergedCall& merged, const std::string& program) {
  const FoundCall& call = merged.call;
  const bool one = merged.ranks.size() == 1;
  const std::string text = call.text.empty() ? "" : ": " + call.text;
  if (call.function.empty()) return fmt::format("{} {}{}", ranks_text(merged.ranks), one ? "ends" : "end", text);
  return fmt::format("{} {} {}{}{}", ranks_text(merged.ranks), one ? "calls" : "call", call.function,
                     place_text(call, program), text);
}

Json call_json(const MergedCall& merged) {
  const FoundCall& call = merged.call;
  return {{"ranks", merged.ranks},
          {"function", call.function.empty() ? Json(nullptr) : Json(call.function)},
          {"location", call.location.empty() ? Json(nullptr) : Json(call.location)},
          {"text", call.text}};
}

}  // namespace

std::vector<MergedFinding> merged(const std::vector<Finding>& findings) {
  std::vector<MergedFinding> all;
  std::map<std::string, size_t> known;
  for (const Finding& finding : findings) {
    const auto [at, is_new] = known.emplace(key_of(finding), all.size());
    if (is_new) {
      all.push_back({.finding = finding, .call = {.ranks = {}, .call = finding.call}, .others = {}});
      for (const FoundCall& other : finding.others) all.back().others.push_back({.ranks = {}, .call = other});
    }
    MergedFinding& to = all[at->second];
    add_rank(to.call.ranks, finding.call.rank);
    for (size_t i = 0; i < finding.others.size(); ++i) add_rank(to.others[i].ranks, finding.others[i].rank);
  }
  return all;
}

std::string findings_text(const std::vector<MergedFinding>& findings, const std::string& program) {
  std::string text;
  for (const MergedFinding& merged : findings) {
    const Finding& finding = merged.finding;
    if (!text.empty()) text += "\n";
    text += fmt::format("error: {}: {}\n", finding.kind, call_text(merged.call, program));
    for (const MergedCall& other : merged.others) text += fmt::format("       {}\n", call_text(other, program));
    text += fmt::format("       {} ({})\n", finding.rule, finding.source);
  }
  return text;
}

std::string findings_summary(const std::vector<MergedFinding>& findings) {
  std::map<std::string, int> by_kind;
  for (const MergedFinding& merged : findings) ++by_kind[merged.finding.kind];
  std::vector<std::string> parts;
  for (const auto& [kind, number] : by_kind) parts.push_back(fmt::format("{} of the class {}", number, kind));
  return fmt::format("{} {}: {}", findings.size(), findings.size() == 1 ? "mistake" : "mistakes",
                     fmt::join(parts, ", "));
}

Json findings_json(const std::vector<MergedFinding>& findings) {
  Json list = Json::array();
  for (const MergedFinding& merged : findings) {
    const Finding& finding = merged.finding;
    Json json = {{"class", finding.kind}, {"check", finding.check}};
    json.update(call_json(merged.call));
    json["others"] = Json::array();
    for (const MergedCall& other : merged.others) json["others"].push_back(call_json(other));
    json["rule"] = finding.rule;
    json["source"] = finding.source;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace strata::analysis
