// SPDX-License-Identifier: LGPL-2.1-only
// Random rules of every format, and damaged texts.
#pragma once

#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/rules/openmpi_algorithms.h"
#include "collectives/rules/rule_file.h"

namespace strata::collectives {

class RandomRules {
 public:
  RandomRules(Format format, const Library& library, unsigned seed) : library_(library), random_(seed) {
    file_.format = format;
  }

  RuleFile make() {
    if (file_.format == Format::kCsel) {
      for (const char* name : {"bcast", "allreduce"}) {
        if (between(0, 2) > 0 || file_.tree.empty()) {
          file_.tree.push_back({std::string("collective=") + name, nodes(name, 3)});
        }
      }
      return file_;
    }
    const bool is_han = file_.format == Format::kHan;
    for (const auto& [operation, name] : kOperations) {
      const bool has_it = !is_han || operation == Operation::kBcast || operation == Operation::kReduce;
      if (!has_it || (between(0, 2) > 0 && !file_.collectives.empty())) continue;
      CollectiveRules collective{.id = openmpi_id(operation)};
      for (const Level level : {Level::kIntraNode, Level::kInterNode, Level::kGlobal}) {
        const bool has_level = is_han ? between(0, 2) > 0 : level == Level::kGlobal;
        if (has_level) collective.levels.push_back(level_rules(operation, level));
      }
      file_.collectives.push_back(collective);
    }
    return file_;
  }

 private:
  int between(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }

  std::vector<std::int64_t> increasing(int count, std::int64_t first) {
    std::set<std::int64_t> values = {first};
    for (int i = 1; i < count; ++i) values.insert(first + 1 + between(0, 1 << between(1, 30)));
    return {values.begin(), values.end()};
  }

  LevelRules level_rules(Operation operation, Level level) {
    LevelRules rules{.level = level};
    const bool is_json = file_.format == Format::kTunedJson;
    const bool is_han = file_.format == Format::kHan;
    if (between(0, 9) == 0) return rules;
    for (const std::int64_t ranks : increasing(between(1, 4), is_han ? 1 : between(0, 3))) {
      CommunicatorRule c{.from_ranks = static_cast<int>(ranks)};
      if (is_json && between(0, 1) == 0) c.to_ranks = c.from_ranks + between(0, 100);
      if (is_json) c.distribution = static_cast<Distribution>(between(0, 2));
      if (between(0, 9) > 0) {
        for (const std::int64_t bytes : increasing(between(1, 5), is_json ? between(0, 9) : 0)) {
          c.rules.push_back(rule(operation, level, bytes));
        }
      }
      rules.communicators.push_back(c);
    }
    return rules;
  }

  MessageRule rule(Operation operation, Level level, std::int64_t bytes) {
    MessageRule r{.from_bytes = bytes};
    if (file_.format == Format::kHan) {
      constexpr const char* kNames[] = {"self", "basic", "libnbc", "tuned", "sm", "adapt", "han"};
      r.choice.component = kNames[between(0, level == Level::kGlobal ? 6 : 5)];
      const auto most = static_cast<int>(han_algorithms(operation, library_).size()) - 1;
      if (r.choice.component == "han" && most > 0) r.choice.algorithm = between(0, most);
      return r;
    }
    r.choice.algorithm = between(0, static_cast<int>(tuned_algorithms(operation, library_).size()) - 1);
    if (between(0, 1) == 0) r.choice.faninout = between(0, 8);
    if (between(0, 1) == 0) r.choice.segment_bytes = between(0, 1 << 20);
    const bool may_limit = file_.format == Format::kTuned2 || file_.format == Format::kTunedJson;
    if (may_limit && between(0, 1) == 0) r.choice.max_requests = between(0, 64);
    if (file_.format == Format::kTunedJson && between(0, 1) == 0) r.to_bytes = bytes + between(0, 1000);
    return r;
  }

  std::vector<CselNode> nodes(const std::string& collective, int depth) {
    if (depth == 0 || between(0, 4) == 0) {
      const std::string name = collective == "bcast" ? "MPIR_Bcast_intra_smp" : "MPIR_Allreduce_intra_smp";
      std::vector<CselNode> parameters;
      if (between(0, 1) == 0) parameters.push_back({"k=" + std::to_string(between(1, 9)), {}});
      return {{"algorithm=" + name, parameters}};
    }
    const std::string kind =
        std::vector<std::string>{"comm_size", "avg_msg_size", "total_msg_size", "count"}[between(0, 3)];
    std::vector<CselNode> all;
    for (const std::int64_t size : increasing(between(1, 3), 1)) {
      const char* sign = kind == "count" || between(0, 1) == 0 ? "<=" : "<";
      all.push_back({kind + sign + std::to_string(size), nodes(collective, depth - 1)});
    }
    all.push_back({kind + "=any", nodes(collective, depth - 1)});
    return all;
  }

  const Library& library_;
  std::mt19937 random_;
  RuleFile file_;
};

/// The text with one to four random changes.
inline std::string damaged(std::string text, unsigned seed) {
  std::mt19937 random(seed);
  const int changes = std::uniform_int_distribution<int>(1, 4)(random);
  for (int i = 0; i < changes && !text.empty(); ++i) {
    const size_t at = std::uniform_int_distribution<size_t>(0, text.size() - 1)(random);
    constexpr std::string_view kCharacters = "0123456789 \n#-xK@[]{}\":,";
    switch (std::uniform_int_distribution<int>(0, 3)(random)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.erase(at, 1 + at % 5);
        break;
      case 2:
        text.insert(at, text.substr(at, 9));
        break;
      default:
        text[at] = kCharacters[at % kCharacters.size()];
    }
  }
  return text;
}

}  // namespace strata::collectives
