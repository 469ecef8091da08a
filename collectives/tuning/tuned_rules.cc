// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/tuned_rules.h"

#include <algorithm>
#include <climits>
#include <map>

#include "collectives/chosen/chosen.h"

namespace strata::collectives {
namespace {

using Rules = std::vector<MessageRule>;

// A choice of each size that a file compares; the library's own if cells of the same size differ.
std::map<std::int64_t, Choice> by_rule_bytes(const std::vector<CellChoice>& cells) {
  std::map<std::int64_t, Choice> choices;
  for (const CellChoice& c : cells) {
    const auto [at, is_new] = choices.emplace(rule_bytes(c.cell), c.choice);
    if (!is_new && at->second != c.choice) at->second = Choice{};
  }
  return choices;
}

Rules message_rules(const std::vector<CellChoice>& cells) {
  Rules rules = {{.from_bytes = 0}};
  for (const auto& [bytes, choice] : by_rule_bytes(cells)) {
    if (bytes == 0) rules.front().choice = choice;
    if (choice == rules.back().choice) continue;
    rules.push_back({.from_bytes = bytes, .choice = choice});
  }
  for (std::size_t i = 0; i + 1 < rules.size(); ++i) rules[i].to_bytes = rules[i + 1].from_bytes - 1;
  return rules;
}

bool are_own(const Rules& rules) {
  return std::all_of(rules.begin(), rules.end(), [](const MessageRule& r) { return r.choice.algorithm == 0; });
}

std::vector<CommunicatorRule> communicator_rules(const std::map<int, std::vector<CellChoice>>& by_ranks) {
  std::vector<CommunicatorRule> communicators = {{.from_ranks = 2, .rules = {MessageRule{}}}};
  for (const auto& [ranks, cells] : by_ranks) {
    CommunicatorRule rule = {.from_ranks = ranks, .rules = message_rules(cells)};
    if (rule.rules == communicators.back().rules) continue;
    if (ranks == communicators.back().from_ranks) communicators.pop_back();
    communicators.push_back(std::move(rule));
  }
  for (std::size_t i = 0; i + 1 < communicators.size(); ++i) {
    communicators[i].to_ranks = communicators[i + 1].from_ranks - 1;
  }
  return communicators;
}

// Formats of numbers state only where a rule begins.
void forget_ends(std::vector<CommunicatorRule>& communicators) {
  for (CommunicatorRule& c : communicators) {
    c.to_ranks = INT_MAX;
    for (MessageRule& r : c.rules) r.to_bytes = kAnySize;
  }
}

}  // namespace

RuleFile rules_of(std::vector<CellChoice> choices, Format format) {
  std::map<int, std::map<int, std::vector<CellChoice>>> by_id;
  for (CellChoice& c : choices) by_id[openmpi_id(c.cell.operation)][c.cell.ranks].push_back(std::move(c));
  RuleFile file;
  file.format = format;
  for (const auto& [id, by_ranks] : by_id) {
    std::vector<CommunicatorRule> communicators = communicator_rules(by_ranks);
    if (std::all_of(communicators.begin(), communicators.end(), [](const auto& c) { return are_own(c.rules); })) {
      continue;
    }
    if (format != Format::kTunedJson) forget_ends(communicators);
    file.collectives.push_back({.id = id, .levels = {LevelRules{.communicators = std::move(communicators)}}});
  }
  return file;
}

std::optional<Cell> differs(const RuleFile& file, const Library& library, const std::vector<CellChoice>& choices) {
  std::map<std::pair<Operation, int>, std::vector<CellChoice>> by_communicator;
  for (const CellChoice& c : choices) by_communicator[{c.cell.operation, c.cell.ranks}].push_back(c);
  for (const auto& [communicator, cells] : by_communicator) {
    const std::map<std::int64_t, Choice> meant = by_rule_bytes(cells);
    for (const CellChoice& c : cells) {
      const Choice& choice = meant.at(rule_bytes(c.cell));
      const Decision d = look_up(file, library,
                                 {.operation = c.cell.operation,
                                  .ranks = c.cell.ranks,
                                  .bytes = c.cell.bytes,
                                  .type_bytes = element_bytes(c.cell.operation)});
      const bool is_own = d.by != Decision::By::kRule;
      if (choice.algorithm == 0
              ? !is_own
              : is_own || d.choice.algorithm != choice.algorithm || d.choice.faninout != choice.faninout ||
                    d.choice.segment_bytes != choice.segment_bytes) {
        return c.cell;
      }
    }
  }
  return {};
}

}  // namespace strata::collectives
