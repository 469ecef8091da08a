// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/look_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstdint>

#include "collectives/rules/csel_look_up.h"
#include "collectives/rules/fixed_decisions.h"
#include "collectives/rules/openmpi_algorithms.h"

namespace strata::collectives {
namespace {

// The rules of a collective. The last ones, if a file has several: tuned forgets the earlier ones, HAN begins at the
// end.
const CollectiveRules* rules_of(const RuleFile& rules, Operation operation) {
  const auto at = std::find_if(rules.collectives.rbegin(), rules.collectives.rend(),
                               [&](const CollectiveRules& c) { return c.id == openmpi_id(operation); });
  return at == rules.collectives.rend() ? nullptr : &*at;
}

// Goes on until a rule begins above the value, and takes the one before it; the first, if it is that. Null if there are
// no rules.
template <class Rule, class Bound>
const Rule* before_larger(const std::vector<Rule>& rules, std::int64_t value, Bound Rule::*from) {
  const Rule* best = rules.empty() ? nullptr : &rules.front();
  for (const Rule& r : rules) {
    if (r.*from > value) break;
    best = &r;
  }
  return best;
}

// The last rule that begins at or below the value.
template <class Rule, class Bound>
const Rule* last_reached(const std::vector<Rule>& rules, std::int64_t value, Bound Rule::*from) {
  const auto at = std::find_if(rules.rbegin(), rules.rend(), [&](const Rule& r) { return r.*from <= value; });
  return at == rules.rend() ? nullptr : &*at;
}

bool suits(Distribution distribution, const Call& call) {
  switch (distribution) {
    case Distribution::kAny:
      return true;
    case Distribution::kOnePerNode:
      return call.nodes == call.ranks;
    case Distribution::kSingleNode:
      return call.nodes == 1;
  }
  return true;
}

// The first set of rules of a JSON file that suits the communicator. Sizes are unsigned numbers.
const CommunicatorRule* first_range(const std::vector<CommunicatorRule>& rules, const Call& call) {
  for (const CommunicatorRule& r : rules) {
    if (suits(r.distribution, call) && r.from_ranks <= call.ranks && call.ranks <= r.to_ranks) return &r;
  }
  return nullptr;
}

const MessageRule* first_range(const std::vector<MessageRule>& rules, std::int64_t bytes) {
  const auto size = static_cast<std::uint64_t>(bytes);
  for (const MessageRule& r : rules) {
    if (static_cast<std::uint64_t>(r.from_bytes) <= size && size <= static_cast<std::uint64_t>(r.to_bytes)) return &r;
  }
  return nullptr;
}

// The ranges that Open MPI 6.0 makes of a file of numbers: each communicator size ends its own range.
const CommunicatorRule* first_range_of_sizes(const std::vector<CommunicatorRule>& rules, int ranks) {
  std::int64_t from = 0;
  for (size_t i = 0; i < rules.size(); ++i) {
    const std::int64_t to = i + 1 == rules.size() ? INT_MAX : std::int64_t{rules[i].from_ranks} - 1;
    if (from <= ranks && ranks <= to) return &rules[i];
    from = to + 1;
  }
  return nullptr;
}

// ... and each message size ends the range before it.
const MessageRule* first_range_of_sizes(const std::vector<MessageRule>& rules, std::int64_t bytes) {
  const auto size = static_cast<std::uint64_t>(bytes);
  for (size_t i = 0; i < rules.size(); ++i) {
    const std::uint64_t to = i + 1 == rules.size() ? static_cast<std::uint64_t>(kAnySize)
                                                   : static_cast<std::uint64_t>(rules[i + 1].from_bytes) - 1;
    if (static_cast<std::uint64_t>(rules[i].from_bytes) <= size && size <= to) return &rules[i];
  }
  return nullptr;
}

const CommunicatorRule* tuned_communicator(const RuleFile& rules, const Library& library, const Call& call) {
  const CollectiveRules* collective = rules_of(rules, call.operation);
  if (collective == nullptr) return nullptr;
  const std::vector<CommunicatorRule>& all = collective->levels.front().communicators;
  if (rules.format == Format::kTunedJson) return first_range(all, call);
  if (library.from(6)) return first_range_of_sizes(all, call.ranks);
  return before_larger(all, call.ranks, &CommunicatorRule::from_ranks);
}

const MessageRule* tuned_message(const RuleFile& rules, const Library& library, const CommunicatorRule& communicator,
                                 std::int64_t bytes) {
  if (rules.format == Format::kTunedJson) return first_range(communicator.rules, bytes);
  if (library.from(6)) return first_range_of_sizes(communicator.rules, bytes);
  return before_larger(communicator.rules, bytes, &MessageRule::from_bytes);
}

// "bcast, from 64 ranks, from 8192 B". Ranges of JSON: "bcast, 64 to 128 ranks, from 8192 B".
std::string describe(const Call& call, const CommunicatorRule& c, const MessageRule& r) {
  const auto range = [](std::int64_t from, std::int64_t to, bool is_open, const char* unit) {
    return is_open ? fmt::format("from {} {}", from, unit) : fmt::format("{} to {} {}", from, to, unit);
  };
  return fmt::format("{}, {}, {}", name_of(call.operation),
                     range(c.from_ranks, c.to_ranks, c.to_ranks == INT_MAX, "ranks"),
                     range(r.from_bytes, r.to_bytes, r.to_bytes == kAnySize, "B"));
}

std::string name_in(std::span<const char* const> algorithms, int algorithm) {
  const bool is_known = algorithm >= 0 && algorithm < static_cast<int>(algorithms.size());
  return is_known ? algorithms[algorithm] : "";
}

Decision tuned(const RuleFile& rules, const Library& library, const Call& call) {
  const CommunicatorRule* communicator = tuned_communicator(rules, library, call);
  const MessageRule* rule =
      communicator == nullptr ? nullptr : tuned_message(rules, library, *communicator, tuned_rule_bytes(call));
  if (rule == nullptr || rule->choice.algorithm == 0) {
    Decision d = look_up_fixed(library, call);
    if (communicator != nullptr && d.by == Decision::By::kNone && call.ranks > 1) {
      // With rules for a scan, tuned serves it, with its linear algorithm where no rule says another.
      d.by = Decision::By::kFixed;
      d.choice.algorithm = 1;
      d.name = "linear";
      d.why = "tuned's linear algorithm";
    }
    d.file = rules.file;
    d.line = rule == nullptr ? 0 : rule->line;
    const std::string found =
        rule == nullptr ? fmt::format("no rule for {}", name_of(call.operation)) : describe(call, *communicator, *rule);
    d.why = fmt::format("{}: {}", found, d.why);
    return d;
  }
  Decision d{
      Decision::By::kRule, rule->choice, name_in(tuned_algorithms(call.operation, library), rule->choice.algorithm),
      rules.file,          rule->line,   describe(call, *communicator, *rule)};
  if (d.name.empty()) {
    d.by = Decision::By::kNone;
    d.why += fmt::format(": there is no algorithm {}, the call returns MPI_ERR_ARG", d.choice.algorithm);
  }
  return d;
}

Decision han(const RuleFile& rules, const Library& library, const Call& call) {
  const CollectiveRules* collective = rules_of(rules, call.operation);
  const LevelRules* level = nullptr;
  if (collective != nullptr) {
    const auto at = std::find_if(collective->levels.rbegin(), collective->levels.rend(),
                                 [&](const LevelRules& l) { return l.level == call.level; });
    if (at != collective->levels.rend()) level = &*at;
  }
  const CommunicatorRule* communicator =
      level == nullptr ? nullptr : last_reached(level->communicators, call.ranks, &CommunicatorRule::from_ranks);
  const MessageRule* rule =
      communicator == nullptr ? nullptr : last_reached(communicator->rules, han_bytes(call), &MessageRule::from_bytes);
  if (rule == nullptr) {
    return {Decision::By::kNone,
            {},
            "",
            rules.file,
            0,
            fmt::format("no rule for {} on {}: the parameter coll_han_{}_dynamic_{}_module", name_of(call.operation),
                        word_of(kLevels, call.level), name_of(call.operation), word_of(kLevels, call.level))};
  }
  const std::string why = fmt::format("{}, {}", word_of(kLevels, call.level), describe(call, *communicator, *rule));
  const std::string name =
      rule->choice.component == "han" ? name_in(han_algorithms(call.operation, library), rule->choice.algorithm) : "";
  return {Decision::By::kRule, rule->choice, name, rules.file, rule->line, why};
}

}  // namespace

Decision look_up_fixed(const Library& library, const Call& call) {
  const std::optional<Choice> choice = fixed_decision(call);
  if (!choice) {
    return {Decision::By::kNone,
            {},
            "",
            "",
            0,
            call.ranks < 2 ? "one rank, for which component self serves" : "component basic serves it"};
  }
  return {Decision::By::kFixed, *choice, name_in(tuned_algorithms(call.operation, library), choice->algorithm), "", 0,
          "the fixed decision"};
}

Decision look_up(const RuleFile& rules, const Library& library, const Call& call) {
  switch (rules.format) {
    case Format::kTuned:
    case Format::kTuned2:
    case Format::kTunedJson:
      return tuned(rules, library, call);
    case Format::kHan:
      return han(rules, library, call);
    case Format::kCsel:
      break;
  }
  const std::vector<const CselNode*> path = find_path(rules.tree, library, call);
  if (path.empty()) {
    return {Decision::By::kNone, {}, "",
            rules.file,          0,  fmt::format("no branch for {}: MPICH ends the program", name_of(call.operation))};
  }
  const CselNode* leaf = path.back();
  Decision d{Decision::By::kRule, {}, leaf->key.substr(leaf->key.find('=') + 1), rules.file, leaf->line, leaf->key};
  d.choice.name = d.name;
  return d;
}

}  // namespace strata::collectives
