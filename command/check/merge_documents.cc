// SPDX-License-Identifier: LGPL-2.1-only
#include "command/check/merge_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/child.h"
#include "base/error.h"
#include "base/input_file.h"
#include "base/own_file.h"
#include "base/shell_text.h"
#include "check/areas/areas.h"
#include "command/check/area_results.h"
#include "command/check/programs.h"
#include "command/check/text.h"
#include "command/command.h"
#include "command/print.h"
#include "records/trace/program_hash.h"
#include "sim/launcher/run.h"

namespace strata::command {
namespace {

using check::AreaResult;
using check::Verdict;
using Areas = std::vector<std::unique_ptr<check::Area>>;

struct ShardDocument {
  std::string file;
  Shard shard;
  Json json;
};

ShardDocument load(const std::string& file) {
  const char* remedy = "give what `strata check AREA --shard i/N --json` printed";
  ShardDocument document{file, {}, Json::parse(read_input(file, remedy), nullptr, false)};
  const Json& json = document.json;
  if (!json.is_object() || json.value("schema", "") != kCheckSchema)
    throw InputError(file, std::string("is not a whole document of schema ") + kCheckSchema, remedy);
  try {
    json.at("shard").at("number").get_to(document.shard.number);
    json.at("shard").at("of").get_to(document.shard.of);
  } catch (const std::exception&) {
    throw InputError(file, "is not of a shard", remedy);
  }
  return document;
}

// Names a difference that two shards of the same check cannot have; empty if they agree.
std::string difference(const ShardDocument& a, const ShardDocument& b) {
  for (const auto& [key, what] : {std::pair("version", "version of Strata"), std::pair("program_hash", "program")}) {
    if (a.json.at("shard").at(key) != b.json.at("shard").at(key)) return what;
  }
  const auto question = [](const Json& area) {
    Json names = Json::array();
    for (const Json& property : area.at("properties")) names.push_back(property.at("name"));
    return Json{area.at("name"), area.at("bounds"), area.at("seed"), area.at("all"), names};
  };
  const Json &left = a.json.at("areas"), &right = b.json.at("areas");
  bool same = left.size() == right.size();
  for (size_t i = 0; same && i < left.size(); ++i) same = question(left[i]) == question(right[i]);
  if (!same) return "areas, bounds, random cases or seed";
  const auto explored = [](const Json& document) {
    Json programs = Json::array();
    for (const Json& p : document.at("programs"))
      programs.push_back({p.at("name"), p.at("ranks"), p.at("arguments"), p.at("buffering")});
    return programs;
  };
  return explored(a.json) == explored(b.json) ? "" : "programs, ranks, arguments or bufferings";
}

void require_one_check(const ShardDocument& first, const ShardDocument& other) {
  const std::string different = difference(first, other);
  if (different.empty()) return;
  throw InputError(other.file, "is of another check than " + first.file + ": its " + different + " differ",
                   "name the shards of one check");
}

std::string command_of(const ShardDocument& document, const Shard& shard) {
  auto words = document.json.at("shard").at("command").get<std::vector<std::string>>();
  const auto at = std::min<std::ptrdiff_t>(2, std::ssize(words));  // after "strata check"
  words.insert(words.begin() + at, {"--shard", text_of(shard)});
  return shell_text(words);
}

// The command line of this process without --shard.
std::vector<std::string> command_without_shard() {
  const std::string line = read_whole("/proc/self/cmdline");
  std::vector<std::string> words;
  for (size_t at = 0; at < line.size(); at = line.find('\0', at) + 1) words.emplace_back(line.c_str() + at);
  words.front() = "strata";
  for (size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    if (!words[i].starts_with("--shard")) continue;
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(i);
    words.erase(begin, begin + (words[i] == "--shard" ? 2 : 1));
    break;
  }
  return words;
}

bool is_violated(const Json& program) { return !program.at("counter_example").is_null(); }

// Merges one exploration over all shards: sums, and the counter-example with the lowest prefix.
Json merged_program(const std::vector<Json>& shards) {
  Json merged = shards.front();
  const Json* found = nullptr;
  for (const Json& shard : shards) {
    if (is_violated(shard) && (found == nullptr || shard.at("prefix") < found->at("prefix"))) found = &shard;
    if (&shard == &shards.front()) continue;
    for (const char* sum : {"states", "transitions", "executions"})
      merged[sum] = merged[sum].get<long>() + shard.at(sum).get<long>();
    merged["seconds"] = merged["seconds"].get<double>() + shard.at("seconds").get<double>();
    if (merged["limit"].is_null() && !shard.at("limit").is_null()) {
      merged["limit"] = shard.at("limit");
      merged["verdict"] = shard.at("verdict");
    }
  }
  if (found != nullptr) {
    for (const char* field : {"verdict", "limit", "counter_example"}) merged[field] = found->at(field);
  }
  merged.erase("prefix");
  return merged;
}

// Merges the explorations. After an error in a program, its remaining bufferings are left out.
Json merged_programs(const std::vector<ShardDocument>& documents) {
  Json merged = Json::array();
  const size_t count = documents.front().json.at("programs").size();
  for (size_t i = 0; i < count; ++i) {
    std::vector<Json> shards;
    for (const ShardDocument& document : documents) shards.push_back(document.json.at("programs").at(i));
    const bool wrong = std::ranges::any_of(merged, [&](const Json& earlier) {
      return earlier.at("name") == shards.front().at("name") && earlier.at("verdict") != name_of(Verdict::kHolds);
    });
    if (!wrong) merged.push_back(merged_program(shards));
  }
  return merged;
}

std::string text_of_program(const Json& program) {
  std::string text = program_text(program);
  if (!is_violated(program)) return text;
  const Json& c = program.at("counter_example");
  text += fmt::format("\n    {}\n\n", c.at("message").get<std::string>());
  for (const Json& step : c.at("steps"))
    text += fmt::format("    rank {}: {}\n", step.at("rank").get<int>(), step.at("what").get<std::string>());
  return text + fmt::format("\n    again:  {}\n\n", c.at("again").get<std::string>());
}

// Merges the areas from the results of all shards.
std::vector<AreaResult> merge(const std::vector<ShardDocument>& documents) {
  const Areas areas = check::all_areas();
  std::vector<AreaResult> merged;
  const size_t count = documents.front().json.at("areas").size();
  for (size_t i = 0; i < count; ++i) {
    std::vector<AreaResult> shards;
    for (const ShardDocument& document : documents) {
      const Json& json = document.json.at("areas")[i];
      for (const auto& area : areas) {
        if (area->name() == json.at("name").get_ref<const std::string&>())
          shards.push_back(area_result_from(json, *area, document.shard));
      }
    }
    merged.push_back(check::merged(shards));
  }
  return merged;
}

int merge_checks(const MergeOptions& o) {
  std::vector<ShardDocument> documents;
  std::vector<NamedShard> named;
  std::vector<AreaResult> areas;
  Json programs;
  for (const std::string& file : o.what) documents.push_back(load(file));
  for (const ShardDocument& document : documents) named.push_back({document.file, document.shard});
  try {
    for (const ShardDocument& document : documents) require_one_check(documents.front(), document);
    require_all_shards(named, [&](const Shard& missing) { return command_of(documents.front(), missing); });
    areas = merge(documents);
    programs = merged_programs(documents);
  } catch (const Json::exception&) {
    throw InputError("command line", "a document of a shard is damaged", "make it again");
  }
  const auto has = [&](Verdict verdict) {
    return std::ranges::any_of(programs, [&](const Json& p) { return p.at("verdict") == name_of(verdict); });
  };
  const bool violated = !std::ranges::all_of(areas, &AreaResult::holds) || std::ranges::any_of(programs, is_violated);
  const Verdict verdict = violated                   ? Verdict::kViolated
                          : has(Verdict::kUndecided) ? Verdict::kUndecided
                                                     : Verdict::kHolds;
  Json json = {{"schema", kCheckSchema}, {"verdict", name_of(verdict)}};
  json["areas"] = Json::array();
  for (const AreaResult& r : areas) json["areas"].push_back(json_of(r));
  json["programs"] = programs;
  json["scenarios"] = Json::array();
  if (!o.out.empty()) write_and_tell(o.out, line_of(json));
  std::string text;
  for (const AreaResult& r : areas) text += text_of(r, kReplay) + "\n";
  if (!areas.empty()) text += verdict_of(areas);
  for (const Json& p : programs) text += text_of_program(p);
  if (o.json) {
    print(json);
  } else {
    print(text, verdict_marks());
  }
  return verdict == Verdict::kHolds ? 0 : verdict == Verdict::kViolated ? 1 : 3;
}

}  // namespace

Json shard_json(const Shard& shard) {
  return {{"number", shard.number},
          {"of", shard.of},
          {"version", sim::versions().at("strata")},
          {"program_hash", program_hash("/proc/self/exe")},
          {"command", command_without_shard()}};
}

void add_merge_checks(cli::App& app, Action& action) {
  cli::App* submit = app.add_subcommand("submit", "Commands for shards");
  submit->require_subcommand(1);
  app.formerly("merge", {"submit", "merge"});
  auto o = std::make_shared<MergeOptions>();
  o->add(*submit, cli::Written::kFile)->callback([o, &action] { action = [o] { return merge_checks(*o); }; });
}

}  // namespace strata::command
