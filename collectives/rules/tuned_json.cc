// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/tuned_json.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "base/line_text.h"
#include "base/nearest.h"
#include "collectives/rules/lined_json.h"
#include "collectives/rules/openmpi_algorithms.h"

namespace strata::collectives {
namespace {

using Kind = LinedJson::Kind;

constexpr const char* kIgnored = "Open MPI ignores the whole file and uses its fixed decisions";

constexpr std::array<std::string_view, 4> kFileKeys = {"$schema", "rule_file_version", "module", "collectives"};
constexpr std::array<std::string_view, 4> kCommunicatorKeys = {"comm_size_min", "comm_size_max",
                                                               "comm_rank_distribution", "rules"};
constexpr std::array<std::string_view, 6> kRuleKeys = {"msg_size_min", "msg_size_max", "alg",
                                                       "faninout",     "seg_size",     "reqs"};

class TunedJsonReader {
 public:
  TunedJsonReader(const std::string& file, const Library& library, Reading reading)
      : library_(library), reading_(reading) {
    rules_.format = Format::kTunedJson;
    rules_.file = file;
  }

  RuleFile read(const LinedJson& root) {
    if (root.kind != Kind::kObject) fail(root.line, "the document is not an object", "write {\"collectives\": {...}}");
    check_keys(root, kFileKeys);
    if (const LinedJson* version = root.find("rule_file_version"); version != nullptr && version->integer != 3) {
      add({version->line, "rule_file_version is not 3", "Open MPI reads it as version 3", "write 3"});
    }
    const LinedJson* collectives = root.find("collectives");
    if (collectives == nullptr) fail(root.line, "there is no key collectives", "write \"collectives\": {...}");
    if (collectives->kind != Kind::kObject) {
      fail(collectives->line, "collectives is not an object", "write \"collectives\": {\"bcast\": [...]}");
    }
    for (const LinedJson& m : collectives->items) read_collective(m);
    return std::move(rules_);
  }

 private:
  [[noreturn]] void fail(int line, const std::string& what, const std::string& remedy) const {
    throw InputError(fmt::format("{}:{}", rules_.file, line), fmt::format("{}, so {}", what, kIgnored), remedy);
  }
  void add(const Remark& what) { remark(rules_, reading_, what); }

  template <size_t N>
  void check_keys(const LinedJson& object, const std::array<std::string_view, N>& known) {
    std::set<std::string> keys;
    for (const LinedJson& m : object.items) {
      if (!keys.insert(m.key).second) {
        add({m.key_line, fmt::format("key {} occurs twice", m.key), "Open MPI reads the first one", "give it once"});
      }
      if (std::find(known.begin(), known.end(), m.key) != known.end()) continue;
      const std::string meant = did_you_mean(m.key, {known.begin(), known.end()});
      add({m.key_line, fmt::format("key {} is unknown", shown(m.key)), "Open MPI does not read it",
           meant.empty() ? fmt::format("known keys are {}", fmt::join(known, ", ")) : meant});
    }
  }

  void read_collective(const LinedJson& member) {
    const int id = openmpi_id(member.key);
    if (id < 0) {
      std::vector<std::string> names(std::begin(kOpenMpiCollectives), std::end(kOpenMpiCollectives));
      fail(member.key_line, fmt::format("{} is not a collective", shown(member.key)),
           member.key.starts_with("reducescatter") ? "write reduce_scatter or reduce_scatter_block"
                                                   : did_you_mean(member.key, names));
    }
    if (member.kind != Kind::kList) {
      fail(member.key_line, fmt::format("{} is not a list", member.key), "write a list of rules for communicators");
    }
    name_ = member.key;
    if (!find_operation(name_)) {
      add({member.key_line, fmt::format("{} has one algorithm only", name_), "Open MPI does not use these rules",
           "leave them out"});
    }
    for (const CollectiveRules& other : rules_.collectives) {
      if (other.id != id) continue;
      add({member.key_line, fmt::format("{} has rules already", name_), "Open MPI forgets the earlier ones",
           "give all rules of a collective in one list"});
    }
    CollectiveRules collective{.id = id, .levels = {LevelRules{.line = member.key_line}}, .line = member.key_line};
    for (const LinedJson& item : member.items) {
      collective.levels.front().communicators.push_back(read_communicator(item));
    }
    rules_.collectives.push_back(std::move(collective));
  }

  CommunicatorRule read_communicator(const LinedJson& object) {
    if (object.kind != Kind::kObject) {
      fail(object.line, fmt::format("an item of {} is not an object", name_), "write {\"rules\": [...]}");
    }
    check_keys(object, kCommunicatorKeys);
    CommunicatorRule rule{.rules = {}, .line = object.line};
    rule.from_ranks = small(object, "comm_size_min", 0);
    rule.to_ranks = small(object, "comm_size_max", std::numeric_limits<int>::max());
    if (rule.to_ranks < rule.from_ranks) {
      add({object.line, fmt::format("comm_size_max {} is below comm_size_min {}", rule.to_ranks, rule.from_ranks),
           "Open MPI never applies these rules", "exchange the two"});
    }
    rule.distribution = distribution_of(object);
    const LinedJson* rules = object.find("rules");
    if (rules == nullptr || (rules->kind != Kind::kList && rules->kind != Kind::kObject)) {
      fail(object.line, fmt::format("{}: rules is not a list", name_), "write \"rules\": [{\"alg\": 1}]");
    }
    for (const LinedJson& item : rules->items) rule.rules.push_back(read_rule(item));
    return rule;
  }

  Distribution distribution_of(const LinedJson& object) {
    const LinedJson* value = object.find("comm_rank_distribution");
    if (value == nullptr) return Distribution::kAny;
    const std::optional<Distribution> found =
        value->kind == Kind::kString ? find_word(kDistributions, value->text) : std::nullopt;
    if (!found) {
      add({value->line, "comm_rank_distribution is unknown", "Open MPI applies the rules to all communicators",
           "write " + choice_of(names_of(kDistributions))});
    }
    return found.value_or(Distribution::kAny);
  }

  MessageRule read_rule(const LinedJson& object) {
    if (object.kind != Kind::kObject) {
      fail(object.line, fmt::format("a rule of {} is not an object", name_), "write {\"alg\": 1}");
    }
    check_keys(object, kRuleKeys);
    MessageRule rule{.line = object.line};
    rule.from_bytes = integer(object, "msg_size_min", 0);
    rule.to_bytes = integer(object, "msg_size_max", kAnySize);
    rule.choice.faninout = small(object, "faninout", 0);
    rule.choice.segment_bytes = small(object, "seg_size", 0);
    if (object.find("reqs") != nullptr) rule.choice.max_requests = small(object, "reqs", 0);
    read_algorithm(object, rule);
    if (rule.from_bytes > rule.to_bytes && !is_never(rule)) {
      add({object.line, fmt::format("msg_size_max {} is below msg_size_min {}", rule.to_bytes, rule.from_bytes),
           "Open MPI never applies this rule", "exchange the two"});
    }
    return rule;
  }

  // The range that Open MPI gives to a rule whose algorithm it does not know.
  static bool is_never(const MessageRule& rule) { return rule.from_bytes == kAnySize && rule.to_bytes == 0; }

  void read_algorithm(const LinedJson& object, MessageRule& rule) {
    const LinedJson* algorithm = object.find("alg");
    if (algorithm == nullptr) {
      add({object.line, "there is no key alg", "Open MPI uses the fixed decision", "write \"alg\": 1, or a name"});
      return;
    }
    const std::optional<Operation> operation = find_operation(name_);
    if (!operation) return;
    const auto algorithms = tuned_algorithms(*operation, library_);
    if (algorithm->kind == Kind::kInteger && algorithm->integer >= 0 &&
        algorithm->integer < static_cast<std::int64_t>(algorithms.size())) {
      rule.choice.algorithm = static_cast<int>(algorithm->integer);
      return;
    }
    if (algorithm->kind == Kind::kString) {
      if (const std::optional<int> number = number_of(algorithms, algorithm->text)) {
        rule.choice.algorithm = *number;
        return;
      }
    }
    const std::string name = algorithm->kind == Kind::kString    ? algorithm->text
                             : algorithm->kind == Kind::kInteger ? std::to_string(algorithm->integer)
                                                                 : "a value that is neither a number nor a string";
    add({algorithm->line, fmt::format("{} has no algorithm {} in {}", name_, printable(name), title_of(library_)),
         "Open MPI does not apply this rule", fmt::format("write one of {}", fmt::join(algorithms, ", "))});
    rule.from_bytes = kAnySize;
    rule.to_bytes = 0;
  }

  std::int64_t integer(const LinedJson& object, const char* key, std::int64_t by_default) {
    const LinedJson* value = object.find(key);
    if (value == nullptr) return by_default;
    if (value->kind == Kind::kString) {
      const std::string_view start = std::string_view(value->text).substr(0, 3);
      if (start == "inf" || start == "Inf" || start == "INF") return kAnySize;
    }
    if (value->kind != Kind::kInteger) {
      fail(value->line, fmt::format("{} is neither a whole number nor \"inf\"", key), "write for example 8192");
    }
    if (value->integer < 0) {
      add({value->line, fmt::format("{} is {}", key, value->integer), "Open MPI reads a very large number",
           "write a number of at least 0"});
    }
    return value->integer;
  }

  // One that Open MPI keeps in an int.
  int small(const LinedJson& object, const char* key, int by_default) {
    const LinedJson* value = object.find(key);
    if (value == nullptr) return by_default;
    const std::int64_t number = integer(object, key, by_default);
    const int kept = static_cast<int>(static_cast<std::uint32_t>(number));
    if (number > std::numeric_limits<int>::max()) {
      add({value->line,
           fmt::format("{} is {}", key,
                       number == kAnySize ? "\"inf\"" : fmt::format("{}, more than an int holds", number)),
           fmt::format("Open MPI uses {}", kept), "leave it out for no limit"});
    }
    return kept;
  }

  const Library& library_;
  const Reading reading_;
  RuleFile rules_;
  std::string name_;  // of the collective
};

}  // namespace

RuleFile read_tuned_json(const std::string& text, const std::string& file, const Library& library, Reading reading) {
  if (!library.from(6)) {
    throw InputError(file + ":1",
                     fmt::format("{} reads numbers only, so it takes those in this JSON for rules", title_of(library)),
                     "write the format of numbers; Open MPI 6.0 reads JSON");
  }
  const LinedJson root =
      parse_lined_json(text, file, "Open MPI reads only its numbers, as a file of the earlier format");
  return TunedJsonReader(file, library, reading).read(root);
}

std::string write_tuned_json(const RuleFile& file) {
  Json collectives = Json::object();
  for (const CollectiveRules& collective : file.collectives) {
    Json list = Json::array();
    for (const CommunicatorRule& c : collective.levels.front().communicators) {
      Json communicator = Json::object();
      if (c.from_ranks != 0) communicator["comm_size_min"] = c.from_ranks;
      if (c.to_ranks != INT_MAX) communicator["comm_size_max"] = c.to_ranks;
      if (c.distribution != Distribution::kAny) {
        communicator["comm_rank_distribution"] = word_of(kDistributions, c.distribution);
      }
      communicator["rules"] = Json::array();
      for (const MessageRule& r : c.rules) {
        Json rule = Json::object();
        if (r.from_bytes != 0) rule["msg_size_min"] = r.from_bytes;
        if (r.to_bytes != kAnySize) rule["msg_size_max"] = r.to_bytes;
        rule["alg"] = r.choice.algorithm;
        if (r.choice.faninout != 0) rule["faninout"] = r.choice.faninout;
        if (r.choice.segment_bytes != 0) rule["seg_size"] = r.choice.segment_bytes;
        if (r.choice.max_requests) rule["reqs"] = *r.choice.max_requests;
        communicator["rules"].push_back(rule);
      }
      list.push_back(communicator);
    }
    collectives[openmpi_collective_name(collective.id)] = list;
  }
  return Json({{"rule_file_version", 3}, {"module", "tuned"}, {"collectives", collectives}}).dump(2) + "\n";
}

}  // namespace strata::collectives
